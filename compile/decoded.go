package compile

import (
	"time"

	"tchain.dev/tchain/chain"
)

// A Type is one entry of the catalogue: a layer, server, client or wrap type.
// It is read once from the schema (or from a team's `types`) and shared.
type Type struct {
	Category string // "layer", "server", "client", "wrap", "platform" or "kernel"
	Key      string // "nginx"
	Title    string // "NGINX"
	Doc      string
	Names    string // whose names are used
	Role     chain.Role
	Cancel   chain.Cancel
	Answers  []chain.Answer
	// AnswersFrom are where Answers are known from, in their order: a URL, or
	// "conformance", or "conformance of " and the product that was run.
	AnswersFrom []string
	NoPhase     []chain.Moment // phases that it does not have
	Phases      []chain.Unbounded
	OneByOne    bool
	DialsOn     bool          // a dial that is given up on goes on, and keeps its place in the pool
	Follows     int           // redirects at most, its timers started anew at each; 0 is none
	InTurn      bool          // without a limit of its own an attempt dials each address until the kernel gives up
	Kernel      string        // what it runs on, as a type of the category "kernel"; "" is not known
	Reads       bool          // what it repeats it has read to its end
	Returns     bool          // an answer of 4xx or 5xx is a value and no exception to who calls it
	Honours     bool          // an announced keep-alive time replaces its own
	Less        time.Duration // by how much it then gives up earlier; 0 is not at all
	Resend      *chain.Retry
	ResendKeys  []string // headers with which Resend is for every method
	// ResendListed says that Resend is only where the product's own list of failures
	// has a stale connection, and for that list's methods.
	ResendListed bool
	Resolver     string
	Root         *Field
	Boundaries   []string // versions at which a default changes, newest first
	Own          bool     // a team's own type
	// Server and Client are the types of an app's parts where nobody has named
	// them: on the app itself, and on a callee that it takes others for.
	Server, Client string
	// Whole is what a setting without a scope of its own holds for, in
	// messages: "balancer"; "" is by the setting's scope.
	Whole string
}

// A Field is one field of a type: a setting, a block, or a plain struct.
type Field struct {
	Name     string // "proxy_read_timeout"; "" for the pattern of a keyed block
	Said     string // what messages call it: its name, with its block where a setting at the top has the same
	ID       string // "nginx.proxy_read_timeout", "nginx.upstream.keepalive_timeout", "httpclient5.manager.maxConnTotal"
	Block    string // the block that it stands in, "" at the top: "server", "upstream"
	Doc      string
	Means    string // of one without a Doc, that of the definition that it refers to
	Aliases  []string
	Fields   []*Field // of a struct, in the schema's order
	Elem     *Field   // of a keyed block: what each key holds
	Keyed    string   // how the keys of Elem are read: "route", "peer", "own", "list" for indexes, "" for any
	Inherit  bool     // an inner block's value replaces the outer one's, in the order of the fields
	Whole    bool     // what an inner block has of it takes the place of the outer one's with all its keys
	Kinds    []string // CUE kinds that it takes: "int", "string", "bool", "list", "struct", "number"
	Enum     []string // the strings that it takes, if only these
	Notation *chain.Notation

	Limits   []LimitSpec
	Size     *SizeSpec
	Retry    *RetrySpec
	Defaults []DefaultSpec
	Backoff  *BackoffSpec
	Null     string // what null means: "infinite" or "off"
	Zero     string // "infinite", "at-once", "off", "default", "invalid", ""
	Negative string
	// ZeroWhy and NegativeWhy are why such a value acts as it does where nothing tells
	// who writes it: it is no documented one; "" where it is.
	ZeroWhy, NegativeWhy string
	Fixed                string // the platform's own value; such a field cannot be written
	Min, Max             string // what the product takes
	Cap                  string
	CapWhy               string
	Overflow             Overflow
	Scope                string // "route", "location", "client", "connection", "process", ""
	Suspect              int64  // a bare number under it is hardly meant; 0 is none
	DocURL               string
	Proof                string   // "conformance" or "run"; "" is sourced
	Flags                []string // further attributes: "addresses", "announces", "millis", "probed", "upgraded", "followed", "follows=true", "holdsback=on", "collects=on"
	Cancels              map[string]string
	Required             bool // must be written where its struct is
	check                *constraint
}

// A LimitSpec is one @limit.
type LimitSpec struct {
	Kind       chain.Kind
	Side       chain.Side
	Start, End chain.Moment
	Reset      chain.Reset
	Per        chain.Per
	Fires      chain.Fires
	Complete   bool
	Waits      bool     // of a budget for attempts: the wait before one counts, too
	If         []string // "keepalive", "proxy_http_version!=1.0"
	FiresIf    string   // what is open, and it fires so only if that is: see chain.Limit.If
}

// A SizeSpec is one @size.
type SizeSpec struct {
	Kind         chain.Kind
	CapAddresses bool
	H1Only       bool
	Repeats      bool // it counts the repeats, without the first attempt
	Refuses      bool // one more is refused and does not wait
	Connections  bool // it counts connections, in use or not
	// Exhausted is what the program gets in the place of the last failure once so many
	// attempts have failed, an exception or a code; "" is the failure itself. With
	// ExhaustedAnswer it is that only where the last attempt had an answer.
	Exhausted       string
	ExhaustedAnswer bool
}

// A BackoffSpec is one @backoff: how the wait grows from repeat to repeat.
type BackoffSpec struct {
	Is         string // the field is itself the "multiplier" or the "max"
	Multiplier int    // in thousandths; 0 is none
	Max        time.Duration
	Jitter     bool
	First      bool         // there is no wait before the first repeat
	On         []chain.Cond // the failures after which it waits; nil: every one
}

// A RetrySpec is one @retry with the words of its list.
type RetrySpec struct {
	Methods []string     // sent again although the request was written; nil: every method
	All     string       // the word that lifts Methods
	Off     string       // the word that switches retries off
	Tokens  []Token      // nil: the words are conditions themselves
	On      []chain.Cond // what is repeated whatever is written
	Names   bool         // the words are methods, not conditions
	Always  bool         // they are asked for even of a request that was not sent
}

// A Token is what one word of a retry list means.
type Token struct {
	Word  string
	Conds []chain.Cond
}

// A DefaultSpec is one @default.
type DefaultSpec struct {
	Value string
	From  string // the sibling whose value is taken
	Since string // version or date
	Until string // the version that no longer has it; counts only for one that is written, and from Since on
	When  string // "upstream", "!Transport"
}

// A Value is one setting as the user wrote it.
type Value struct {
	Field *Field
	Path  []string // from the root of the stack: "layers", "proxy", "nginx", "server", "proxy_read_timeout"
	// Raw is what CUE holds: string, int64, float64, bool or []string (a list,
	// each element as text). nil for a value that is injected and not given.
	Raw  any
	Text string // Raw as the product would read it
	// D is the duration, where the field has a Notation.
	D      time.Duration
	Inject string // the name in @env, or the text in @from, of a value that is not given here
	Origin chain.Origin
}

// A Block is a struct that the user wrote, walked against the catalogue.
type Block struct {
	Field  *Field
	Key    string // the key of a keyed block's element: a peer, a location
	Path   []string
	Pos    chain.Range
	Values []*Value // the leaves, in the order of the user's file
	Blocks []*Block // the structs below: plain ones by Field.Name, keyed ones by Key
}

// A Layer is one layer as written: exactly one type, and facts beside it.
type Layer struct {
	Name  string
	Type  *Type
	Block *Block // nil for a type that is a plain value, as unknown
	Text  string // the plain value
	Facts *Block
	Pos   chain.Range
	App   *App    // for the type app
	Wrap  []*Part // what the layer wraps around its own calls, outer first
}

// An App is what stands in an app's block besides plain settings.
type App struct {
	Server  *Part
	Clients []*Part
	Calls   []CallStep // as written at the app; nil if it has none
	Block   *Block     // runtime, deadline, errors, relay, work, coldStart
}

// A Part is a server or a client of an app.
type Part struct {
	Name  string // of a client
	Type  *Type
	Block *Block
	To    []string
	Via   string
	Wrap  []*Part
	Pos   chain.Range
}

// A CallStep is calls that run at the same time.
type CallStep struct{ Calls []StepCall }

// A StepCall is one key of a step.
type StepCall struct {
	Name                 string
	Method               string
	Times, AtOnce        int
	Fallback, Background bool
	Instead              string // the earlier call that it is made instead of
	InsteadAt            chain.Origin
	On                   []chain.Cond // of that one's failures; nil is any
	Path                 []string     // of its key; nil for the callee that a route's path means
	Pos                  chain.Range
}

// A Decoded is a stack that was read and found well formed, before anything is
// resolved.
type Decoded struct {
	Name        string
	AsOf        string
	Dir         string
	DefaultPath []string
	Layers      []*Layer
	Routes      []*RouteDecl
	Pos         chain.Range // of tchain: "v1"
	Policy      chain.Policy

	graded map[string]chain.Range // where the policy sets the severity of a rule
	cat    *catalogue
}

// A RouteDecl is one route as written.
type RouteDecl struct {
	Pattern string
	Pos     chain.Range // of the label
	Path    []string
	Paths   []NamedPath
	Block   *Block   // tps, within and the other plain fields
	At      []*Layer // overrides, each a Layer with only what differs
	Calls   map[string][]CallStep
}

// A NamedPath is one entrance.
type NamedPath struct {
	Name string
	Path []string
}

// An Overflow says what a product takes a value for that does not fit its number: above
// one value any other acts as As. The zero Overflow is none.
type Overflow struct{ Above, As, Why string }
