package compile

import "testing"

func TestOneCalleeHasAPoolOfItsOwnSize(t *testing.T) {
	stack := func(sizes string) string {
		return called(`springBoot: "3.5.10"`, "http", "", `{manager: {maxConnTotal: 100, maxConnPerRoute: 20, maxPerRoute: {`+sizes+`}}}, to: ["up", "other"]`,
			`"/": {path: ["api"], calls: api: [{up: {}}, {other: {}}]}`)
	}
	s := resolveText(t, stack("up: 3"))
	for callee, want := range map[string]struct {
		size             int
		id, text, source string
	}{
		"up":    {3, "httpclient5.manager.maxPerRoute", "3", "https://hc.apache.org/httpcomponents-client-5.5.x/current/httpclient5/apidocs/org/apache/hc/client5/http/impl/io/PoolingHttpClientConnectionManager.html"},
		"other": {20, "httpclient5.manager.maxConnPerRoute", "20", "https://hc.apache.org/httpcomponents-client-5.5.x/current/httpclient5/apidocs/org/apache/hc/client5/http/impl/io/PoolingHttpClientConnectionManagerBuilder.html"},
	} {
		p := call(t, s, "api", callee).Pool
		if o := p.PerHost.Origin; p.PerHost.N != want.size || p.Total.N != 100 || o.ID != want.id || o.Text != want.text || o.Doc != want.source {
			t.Errorf("%s: %d of %d by %+v", callee, p.PerHost.N, p.Total.N, o)
		}
	}
	if _, errs := tryResolve(t, stack("nobody: 3")); shownErrors(errs) != `5:138: unknown layer "nobody" in httpclient5 maxPerRoute; it takes api, squid, up and other`+"\n" {
		t.Errorf("a callee that is no layer: %s", shownErrors(errs))
	}
}
