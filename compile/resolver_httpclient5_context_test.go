package compile

import (
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// The object RequestConfig.DEFAULT in a context is told from a copy of it: rows 9
// and 18 of the facts, section 5, and their neighbours.
func TestTheObjectDEFAULTInAContextIsNoConfigToNewerSprings(t *testing.T) {
	const settings = `factory: connectionRequestTimeout: "2s", client: requestConfig: {connectionRequestTimeout: "1s", connectTimeout: "1s", responseTimeout: "1s", connectionKeepAlive: "30s"}`
	const merged, whole = "2s 1s 1s 30s", "180s 135s 180s 180s"
	for _, row := range []struct{ n, spring, version, context, want, why string }{
		{"9: the object is no config", "6.2.19", "5.5.2", `object: "DEFAULT"`, merged, "RequestConfig.DEFAULT itself, which counts as no config since Spring 6.1.20 and 6.2.7"},
		{"its boundary", "6.2.7", "5.5.2", `object: "DEFAULT"`, merged, "counts as no config"},
		{"and that of 6.1", "6.1.20", "5.3.1", `object: "DEFAULT"`, merged, "counts as no config"},
		{"so also in 7.0", "7.0.9", "5.6.4", `object: "DEFAULT"`, merged, "counts as no config"},
		{"18: before 6.2.7 it is one", "6.2.6", "5.5.2", `object: "DEFAULT"`, whole, "counts as a config of its own before Spring 6.1.20 and 6.2.7"},
		{"and before 6.1.20", "6.1.19", "5.4.4", `object: "DEFAULT"`, whole, "counts as a config of its own"},
		{"and in 6.0", "6.0.14", "5.1.4", `object: "DEFAULT"`, whole, "counts as a config of its own"},
		{"8: a copy of it is one in every release", "6.2.19", "5.5.2", `copyOf: "DEFAULT"`, whole, "the context has a config of its own: client and factory are not asked"},
		{"8: and so is a new one", "6.2.19", "5.5.2", ``, whole, "the context has a config of its own"},
		{"11: it is one in a context of another class", "6.2.19", "5.5.2", `class: "BasicHttpContext", object: "DEFAULT"`, whole, "which counts as a config of its own since the context is no HttpClientContext"},
		{"in every release", "7.0.9", "5.6.4", `class: "BasicHttpContext", object: "DEFAULT"`, whole, "since the context is no HttpClientContext"},
		{"and so is a new one there", "6.2.19", "5.5.2", `class: "BasicHttpContext"`, whole, "the context has a config of its own"},
		{"a context of that class without a config has the factory's", "6.2.19", "5.5.2", `class: "BasicHttpContext", object: "none"`, merged, "the context is no HttpClientContext and has no config"},
		{"even where releases drop them", "6.2.6", "5.3.1", `class: "BasicHttpContext", object: "none"`, merged, "in every release the factory's values are merged"},
		{"which they do with an HttpClientContext", "6.2.6", "5.3.1", `object: "none"`, "1s 1s 1s 30s", "Spring 6.2.6 with HttpClient 5.3.1 drops the factory's values"},
		{"that has them in others", "6.2.19", "5.5.2", `class: "HttpClientContext", object: "none"`, merged, "the factory's values are merged into the client's config"},
		{"a copy of the client's is one, too", "6.2.19", "5.5.2", `copyOf: "client"`, "1s 1s 1s 30s", "the context has a copy of the client's config, with its own values on top: the factory is not asked"},
	} {
		s := resolveText(t, called(`spring: "`+row.spring+`"`, "http", "", `{version: "`+row.version+`", `+settings+`, context: "/x": {`+row.context+`}}`, `"/x": {}`))
		c := call(t, s, "api", "up")
		wait, _ := c.Limit(chain.PoolWait)
		connect, _ := c.Limit(chain.Connect)
		read, _ := c.Limit(chain.ResponseReadGap)
		got := strings.Join([]string{chain.Format(wait.Bound), chain.Format(connect.Bound), chain.Format(read.Bound), chain.Format(c.Idle[0].Bound)}, " ")
		if _, why := derived(t, s, "/x", timerWait); got != row.want || !strings.Contains(why, row.why) {
			t.Errorf("%s: %s because %s, want %s because %s", row.n, got, why, row.want, row.why)
		}
	}
}

func TestNothingCanBeSetBesideTheObjectDEFAULT(t *testing.T) {
	for context, want := range map[string]string{
		`object: "DEFAULT"`:                            "",
		`object: "DEFAULT", responseTimeout: "300ms"`:  `rejected: context."/x".responseTimeout is not taken beside object, which is RequestConfig.DEFAULT as it is; a copy that can be changed is copyOf: "DEFAULT"` + "\n",
		`object: "DEFAULT", copyOf: "client"`:          `rejected: context."/x".copyOf is not taken beside object, which is RequestConfig.DEFAULT as it is; a copy that can be changed is copyOf: "DEFAULT"` + "\n",
		`copyOf: "DEFAULT", responseTimeout: "300ms"`:  "",
		`object: "DEFAULT", class: "BasicHttpContext"`: "",
		`object: "none", responseTimeout: "300ms"`:     `rejected: context."/x".responseTimeout is not taken beside object: "none": then the context has no config that it could be of` + "\n",
	} {
		s := resolveText(t, called(`spring: "6.2.19"`, "http", "", `{version: "5.6.4", context: "/x": {`+context+`}}`, `{"/x": {}, "/y": {}}`))
		if got := notices(s); got != want {
			t.Errorf("%s: %q, want %q", context, got, want)
		}
		read, _ := derived(t, s, "/x", timerRead)
		if dropped := "; not context.\"/x\".responseTimeout: it is not taken"; strings.Contains(read, dropped) != (strings.Contains(context, "300ms") && want != "") {
			t.Errorf("%s: %s", context, read)
		}
	}
	_, errs := tryResolve(t, called(``, "http", "", `{context: "/x": object: "client"}`, `"/x": {}`))
	if len(errs) != 1 || !strings.Contains(errs[0].Message, "DEFAULT") {
		t.Errorf("another object: %s", shownErrors(errs))
	}
}
