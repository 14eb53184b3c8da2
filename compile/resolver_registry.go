package compile

import (
	"slices"
	"time"

	"tchain.dev/tchain/chain"
)

// resolvers are the clients whose settings compete for one timer, by the name
// in their type's @resolver.
var resolvers = map[string]func(clientInput) clientOutput{
	"feign":             resolveFeign,
	"goHTTP":            resolveGoHTTP,
	"httpUrlConnection": resolveHTTPURLConnection,
	"httpclient4":       resolveHTTPClient4,
	"httpclient5":       resolveHTTPClient5,
	"jdkHttpClient":     resolveJDKHTTPClient,
	"nodeClient":        resolveNodeClient,
	"okhttp":            resolveOkHTTP,
	"undici":            resolveUndici,
	"webclient":         resolveWebClient,
}

// A clientInput is what a resolver is given.
type clientInput struct {
	*effective
	versions runtimeVersions
	HTTPS    bool
	Tunnel   bool // through a forward proxy's CONNECT
	// Addresses are what one attempt may dial in turn.
	Addresses int
	// Announced is the keep-alive time that the callee tells; Never is known to be
	// told none.
	Announced chain.Value
	Defaults  clientOutput
}

// A clientOutput is what is in force for one call: it starts as what the
// settings say each for itself, and a resolver replaces what it settles.
type clientOutput struct {
	Limits     []chain.Limit
	Layers     []chain.ClientLayer // around the transport, outer first
	Pool       *chain.Pool
	Retry      *chain.Retry
	Resend     *chain.Retry
	Unbounded  []chain.Unbounded
	Derived    []chain.Derivation // how competing settings were settled
	Notices    []chain.Notice
	NotChecked []chain.NotChecked // their reasons; whose they are is filled in
	Announced  bool               // the announced keep-alive time is settled
	// Shorter says that it minds an announced keep-alive time that is shorter than its
	// own, and ShorterBy by how much it gives up before that.
	Shorter   bool
	ShorterBy time.Duration
	// ShorterSince is the release since which it minds that; "" if all do.
	ShorterSince string
	// Settings are the part's with those in force of several for one; nil is as they are.
	Settings []*setting
	// Next is Call.Next where that is no limit for each address.
	Next       chain.Value
	NextBeside bool
	Pooled     *hc5Pooled // what waits for the requests of other routes; nil if nothing does
}

// find is a setting by its whole name: "manager.connectionConfig.connectTimeout".
func (e *effective) find(name string) *setting {
	i := slices.IndexFunc(e.settings, func(s *setting) bool { return s.name == name })
	if i < 0 {
		return nil
	}
	return e.settings[i]
}

// keyed are the settings of one element of a keyed block at the top of the
// type, as written; what is not written is unset, whatever its default.
func (e *effective) keyed(block, key string) []*setting {
	for _, f := range e.typ.Root.Fields {
		if f.Name != block || f.Elem == nil {
			continue
		}
		fr := frame{field: f.Elem, blocks: e.blocks.element(f, key), path: append(slices.Clone(e.path), block, key), block: block}
		return e.resolveAll(fr)
	}
	return nil
}

// keysOf are the keys that are written of a keyed block at the top of the type.
func (e *effective) keysOf(block string) []string {
	for _, f := range e.typ.Root.Fields {
		if f.Name == block && f.Elem != nil {
			return e.blocks.keys(f)
		}
	}
	return nil
}
