package compile

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/schema"
)

func fieldAt(t *testing.T, category, key string, path ...string) *Field {
	t.Helper()
	typ, err := newCatalogue(schema.FS).typ(category, key)
	if err != nil {
		t.Fatal(err)
	}
	f := typ.Root
	for _, name := range path {
		if name == "*" {
			f = f.Elem
		} else {
			f = f.child(name)
		}
		if f == nil {
			t.Fatalf("%s %s has no %v", category, key, path)
		}
	}
	return f
}

func TestCatalogueIDsLeaveOutInheritedBlocksAndKeys(t *testing.T) {
	for _, c := range []struct {
		category, key string
		path          []string
		id, block     string
	}{
		{"layer", "nginx", []string{"http", "proxy_read_timeout"}, "nginx.proxy_read_timeout", "http"},
		{"layer", "nginx", []string{"server", "proxy_read_timeout"}, "nginx.proxy_read_timeout", "server"},
		{"layer", "nginx", []string{"location", "*", "proxy_read_timeout"}, "nginx.proxy_read_timeout", "location"},
		{"layer", "nginx", []string{"upstream", "*", "keepalive_timeout"}, "nginx.upstream.keepalive_timeout", "upstream"},
		{"layer", "nginx", []string{"version"}, "nginx.version", ""},
		{"layer", "nginx", []string{"server"}, "nginx.server", ""},
		{"layer", "alb", []string{"idle_timeout"}, "alb.idle_timeout", ""},
		{"layer", "alb", []string{"target_group", "*", "deregistration_delay"}, "alb.target_group.deregistration_delay", "target_group"},
		{"layer", "alb", []string{"target_group", "*", "health_check", "interval"}, "alb.target_group.health_check.interval", "target_group"},
		{"client", "httpclient5", []string{"manager", "connectionConfig", "connectTimeout"}, "httpclient5.manager.connectionConfig.connectTimeout", "manager"},
		{"client", "gohttp", []string{"Transport", "Dialer", "Timeout"}, "gohttp.Dialer.Timeout", "Transport"},
		{"client", "gohttp", []string{"DefaultTransport", "IdleConnTimeout"}, "gohttp.IdleConnTimeout", "DefaultTransport"},
		{"client", "gohttp", []string{"Timeout"}, "gohttp.Timeout", ""},
		{"facts", "route", []string{"response", "stream", "silence"}, "route.response.stream.silence", "response"},
	} {
		f := fieldAt(t, c.category, c.key, c.path...)
		if f.ID != c.id || f.Block != c.block {
			t.Errorf("%s %v: id %s, block %q", c.key, c.path, f.ID, f.Block)
		}
	}
}

func TestCatalogueReadsALimitWithItsOverrides(t *testing.T) {
	f := fieldAt(t, "layer", "nginx", "server", "proxy_connect_timeout")
	want := []LimitSpec{{Kind: chain.Connect, Side: chain.Calling, Start: chain.AtResolved, End: chain.AtSecured, Fires: "504"}}
	if d := cmp.Diff(want, f.Limits); d != "" {
		t.Error(d)
	}
	if f.Cap != "135s" || f.CapWhy != "the kernel stops dialling" || f.Zero != "at-once" || f.Scope != "route" || f.Proof != "conformance" {
		t.Errorf("%+v", f)
	}
	want2 := &chain.Notation{Name: "an NGINX time", Units: []string{"w", "d", "h", "m", "s", "ms"}, Bare: "s", Combine: true, Spaces: true, Example: `"90s"`}
	if d := cmp.Diff(want2, f.Notation); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"int", "string"}, f.Kinds); d != "" {
		t.Error(d)
	}
}

func TestCatalogueReadsConditionsDefaultsAndRetries(t *testing.T) {
	f := fieldAt(t, "layer", "nginx", "upstream", "*", "keepalive_timeout")
	if d := cmp.Diff([]string{"keepalive", "proxy_http_version!=1.0", "Connection!=close"}, f.Limits[0].If); d != "" || f.Limits[0].Side != chain.Calling {
		t.Error(d, f.Limits)
	}
	f = fieldAt(t, "layer", "nginx", "upstream", "*", "keepalive")
	if d := cmp.Diff([]DefaultSpec{{Value: "0"}, {Value: "32", Since: "1.29.7", When: "upstream"}}, f.Defaults); d != "" {
		t.Error(d)
	}
	f = fieldAt(t, "layer", "nginx", "server", "proxy_next_upstream")
	if f.Retry.All != "non_idempotent" || f.Retry.Off != "off" || len(f.Retry.Methods) != 6 || len(f.Retry.Tokens) != 12 {
		t.Errorf("%+v", f.Retry)
	}
	f = fieldAt(t, "server", "gohttp", "IdleTimeout")
	if d := cmp.Diff([]DefaultSpec{{From: "ReadTimeout"}}, f.Defaults); d != "" {
		t.Error(d)
	}
	f = fieldAt(t, "layer", "alb", "target_connect")
	if f.Fixed != "10s" || len(f.Kinds) != 0 || f.Limits[0].Kind != chain.Connect {
		t.Errorf("%+v", f)
	}
	f = fieldAt(t, "layer", "nginx", "server", "proxy_http_version")
	if d := cmp.Diff([]string{"1.0", "1.1", "2"}, f.Enum); d != "" {
		t.Error(d)
	}
	if f := fieldAt(t, "layer", "nginx", "location"); f.Keyed != "route" || !f.Inherit || f.Elem == nil {
		t.Errorf("%+v", f)
	}
	if f := fieldAt(t, "layer", "nginx", "upstream"); f.Keyed != "peer" || f.Inherit || f.Elem == nil {
		t.Errorf("%+v", f)
	}
	if f := fieldAt(t, "wrap", "loop", "attempts"); !f.Required {
		t.Error("attempts of a loop is required")
	}
}

func TestCatalogueReadsWhatATypeDoes(t *testing.T) {
	typ, err := newCatalogue(schema.FS).typ("layer", "nginx")
	if err != nil {
		t.Fatal(err)
	}
	if typ.Title != "NGINX" || typ.Names != "nginx.conf" || typ.Role != chain.RolePassing || typ.Cancel != chain.CancelPropagates || !typ.OneByOne {
		t.Errorf("%+v", typ)
	}
	if !slices.Equal(typ.NoPhase, []chain.Moment{chain.AtResolved}) || len(typ.Answers) != 5 {
		t.Errorf("%+v", typ)
	}
	if typ.Resend.Attempts.N != 2 || !typ.ResendListed || len(typ.Resend.On) != 2 {
		t.Errorf("%+v", typ.Resend)
	}
	typ, err = newCatalogue(schema.FS).typ("client", "httpclient5")
	if err != nil {
		t.Fatal(err)
	}
	want := []chain.Unbounded{{Phase: chain.AtResolved, Reason: "name resolution has no limit (InetAddress.getAllByName)"}, {Phase: chain.AtRequestSent, Reason: "the classic client has no write limit"}}
	if d := cmp.Diff(want, typ.Phases); d != "" || !typ.Honours || typ.Resolver != "httpclient5" {
		t.Error(d, typ)
	}
}

func TestCatalogueIsSafeForConcurrentUse(t *testing.T) {
	cat := newCatalogue(schema.FS)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			ctx := newContext()
			for _, key := range cat.keys("layer") {
				if _, err := cat.typ("layer", key); err != nil {
					t.Error(err)
				}
				if !cat.definition(ctx, "layer", key).Exists() {
					t.Errorf("no definition of %s", key)
				}
			}
			cat.release(ctx)
		})
	}
	wg.Wait()
}
