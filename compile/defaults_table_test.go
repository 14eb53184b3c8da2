package compile

import (
	"slices"
	"testing"
)

// What a person looks up first, each a claim of the product's own documentation.
func TestTheTableOfDefaultsSaysWhatIsInForceWhereNothingIsWritten(t *testing.T) {
	tables, err := DefaultsTables()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ name, table, product, column, want string }{
		{"a limit that is written nowhere", "Layers", "nginx", "first byte", "60s"},
		{"what zero is of it", "Layers", "nginx", "0 means", "at-once: connect, first byte, gap; off: idle to callers"},
		{"a fixed limit of a platform", "Layers", "alb", "connect", "10s"},
		{"what a platform's documentation does not tell", "Layers", "alb", "pool", DefaultsNotKnown},
		{"a limit of what a balancer of connections carries", "Layers", "nlb", "gap", "350s (flow)"},
		{"a proxy that a team runs itself has no repeat that is not known", "Layers", "envoy", "repeats", DefaultsNone},
		{"the zero of the setting that is in force", "Wrappers", "retryablehttp", "0 means", "infinite"},
		{"a limit that falls back to one that is off", "Layers", "haproxy", "idle to callers", DefaultsNone},
		{"a pool that depends on the machine", "Clients", "goRedis", "pool", "10 in all (10 for each CPU)"},
		{"a hidden repeat", "Layers", "haproxy", "repeats", "3"},
		{"a repeat that is bounded by the addresses", "Layers", "nginx", "repeats", "each address once"},
		{"a default of the newest release", "Servers", "puma", "idle", "65s"},
		{"a kill counts as the end of the work", "Servers", "gunicorn", "work", "30s"},
		{"a worker that keeps no connection", "Servers", "gunicorn", "idle", DefaultsNotKnown},
		{"a limit that is off", "Servers", "gohttp", "request header", DefaultsNone},
		{"a hidden total", "Clients", "aiohttp", "whole call", "300s"},
		{"the kernel ends what nothing else does", "Clients", "requests", "connect", "135s (kernel)"},
		{"a limit for each address", "Clients", "httpx", "connect", "5s an address"},
		{"a wait that has no end", "Clients", "httpclient4", "wait for a connection", DefaultsNone},
		{"no wait where no pool can run out", "Clients", "gohttp", "wait for a connection", DefaultsNotKnown},
		{"a value that Spring Boot's and HttpClient's settings come to, which the kernel ends before", "Clients", "httpclient5", "connect", "135s (kernel)"},
		{"a pool by host and in all", "Clients", "httpclient5", "pool", "5 a host, 25 in all"},
		{"idle connections that are kept", "Clients", "gohttp", "pool", "none; 2 idle"},
		{"two words for no limit", "Clients", "netHttpRuby", "0 means", "null infinite: connect; at-once, null infinite: first byte, gap"},
		{"a timer that tells the program only is none", "Clients", "node", "gap", DefaultsNone},
		{"what is wrapped around", "Wrappers", "retryablehttp", "repeats", "4"},
		{"a limit for the whole of a command", "Wrappers", "hystrix", "whole call", "1s"},
		{"a store has no limit for a statement", "Stores", "postgres", "work", DefaultsNone},
		{"a store's connections", "Stores", "postgres", "at once", "100"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := defaultsCell(t, tables, row.table, row.product, row.column); got != row.want {
				t.Errorf("%s of %s is %q, want %q", row.column, row.product, got, row.want)
			}
		})
	}
}

func defaultsCell(t *testing.T, tables []DefaultsTable, title, product, column string) string {
	t.Helper()
	for _, table := range tables {
		for _, row := range table.Rows {
			if i := slices.Index(table.Columns, column); i >= 0 && table.Title == title && row.Type == product {
				return row.Cells[i]
			}
		}
	}
	t.Fatalf("%s has no %s of %s", title, column, product)
	return ""
}

func TestEveryProductWithALimitHasARowOfDefaults(t *testing.T) {
	tables, err := DefaultsTables()
	if err != nil {
		t.Fatal(err)
	}
	for _, category := range []string{"layer", "server", "client", "wrap"} {
		for _, key := range TypeKeys(category) {
			if slices.Contains(teamsOwn, key) {
				continue
			}
			if !slices.ContainsFunc(tables, func(table DefaultsTable) bool {
				return table.Category == category && slices.ContainsFunc(table.Rows, func(r DefaultsRow) bool { return r.Type == key && len(r.Cells) == len(table.Columns) })
			}) {
				t.Errorf("%s %s has no row", category, key)
			}
		}
	}
}
