package golden

import (
	"bufio"
	"net"
	"net/http"
	"testing"
	"time"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit/internal/sample"
)

// GivesUp is by which limit the app of the sample gives up on its callee under a
// fault, and when, as the trace of its first route says.
func GivesUp(t testing.TB, s *chain.Stack, k chain.FaultKind) (*chain.Limit, time.Duration) {
	t.Helper()
	r := *s.Routes[0]
	r.Root = sample.Node(s.Routes[0], "api")
	for _, e := range chain.Play(&r, chain.Fault{Kind: k, Call: r.Root.Calls()[0], From: r.Root}).Events {
		if e.Kind == chain.EvTimeout && e.Node == r.Root {
			return e.Limit, e.At
		}
	}
	t.Fatalf("nobody gives up under %s", k)
	return nil, 0
}

// Quick gives the sample's client limits that a test can wait for, all different,
// and two places in its pool.
func Quick(s *chain.Stack) *chain.Stack {
	c := sample.Node(s.Routes[0], "api").Calls()[0]
	for i := range c.Layers[0].Limits {
		l := &c.Layers[0].Limits[i]
		l.Bound = time.Millisecond * map[chain.Kind]time.Duration{chain.PoolWait: 300, chain.Connect: 500, chain.TLSHandshake: 700,
			chain.ResponseFirstByte: 1500, chain.ResponseReadGap: 1500}[l.Kind]
	}
	c.Pool.PerHost.N, c.Pool.Total.N = 2, 2
	return s
}

// Retries gives the sample's client three attempts, of methods that may be repeated
// where any of the request was sent, and a wait that doubles.
func Retries(s *chain.Stack) *chain.Retry {
	at := func(name, text string) chain.Origin {
		return chain.Origin{Source: chain.Written, Setting: "api.app.clients.auth.retry." + name, Name: name, Text: text}
	}
	r := &chain.Retry{
		Attempts: chain.Size{N: 3, Origin: at("attempts", "3")}, Origin: at("on", "timeout"),
		On:        []chain.Cond{chain.CondTimeout, chain.CondRefused, chain.CondReset, chain.CondKilled, "503"},
		OnMethods: []string{"GET", "PUT"},
		Interval:  chain.Value{D: 200 * time.Millisecond, Origin: at("wait", "200ms")}, Multiplier: 2000,
	}
	sample.Node(s.Routes[0], "api").Calls()[0].Layers[0].Retry = r
	return r
}

// EveryRetry is Retries with a value for all that a policy can say.
func EveryRetry(s *chain.Stack) {
	r := Retries(s)
	r.AnyMethod, r.AtOnce, r.Jitter, r.MaxInterval = []chain.Cond{"503"}, []chain.Cond{chain.CondRefused}, true, time.Second
	r.On = append(r.On, chain.CondTLSTimeout, chain.CondWriteTimeout, chain.CondDeadline)
	r.Window = chain.Value{D: 20 * time.Second, Origin: chain.Origin{Source: chain.Written, Setting: "api.app.clients.auth.retry.window"}}
	r.Least = chain.Value{D: 2 * time.Second, Origin: chain.Origin{Source: chain.Written, Setting: "api.app.clients.auth.retry.least"}}
}

// Serve accepts connections and sends text to each request, whole; then, if there
// is one, drip over and over. With no text it only accepts. It returns its address.
func Serve(t testing.TB, text string, drip ...string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			if text != "" {
				go answer(c, text, drip)
			}
		}
	}()
	return l.Addr().String()
}

func answer(c net.Conn, text string, drip []string) {
	in := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := in.Discard(int(req.ContentLength)); err != nil {
			return
		}
		if _, err := c.Write([]byte(text)); err != nil {
			return
		}
		for len(drip) > 0 {
			time.Sleep(100 * time.Millisecond)
			if _, err := c.Write([]byte(drip[0])); err != nil {
				return
			}
		}
	}
}
