package conformance

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"time"

	"tchain.dev/tchain/conformance/fault"
)

// A goEnvironment is what a client under test meets: the fault servers, or a
// server that watches its connections.
type goEnvironment struct {
	url      string
	servers  []*fault.Server
	watch    *watcher
	names    *nameServer
	resolver *net.Resolver
	tls      *tls.Config
	rest     []func()
}

func newGoEnvironment(s BlockScenario) (*goEnvironment, error) {
	env := &goEnvironment{}
	if s.Idle {
		env.watch = startWatcher(s.Announce)
		env.url = "http://" + env.watch.addr()
		return env, nil
	}
	f, err := fault.Start(s.Upstreams[0])
	if err != nil {
		return nil, err
	}
	env.servers = append(env.servers, f)
	env.url = "http://" + f.Addr() + "/"
	if f.Config().TLS {
		env.url = "https://" + f.Addr() + "/"
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(f.CertificatePEM())
		env.tls = &tls.Config{RootCAs: roots}
	}
	if s.Addresses > 1 {
		err = env.named(s, f)
	}
	if err != nil {
		env.close()
		return nil, err
	}
	return env, nil
}

// named gives the first server a name with two addresses. The second one has the
// second upstream's mode: it works, or it is deaf as the first.
func (env *goEnvironment) named(s BlockScenario, first *fault.Server) error {
	var err error
	if env.names, err = startNames(net.IPv4(127, 0, 0, 1), net.IPv4(127, 0, 0, 2)); err != nil {
		return err
	}
	env.resolver = env.names.resolver()
	env.url = fmt.Sprintf("http://up.test:%d/", first.Port())
	second := fmt.Sprintf("127.0.0.2:%d", first.Port())
	if s.Upstreams[1].Mode == fault.Backlog {
		end, err := deafAt([4]byte{127, 0, 0, 2}, first.Port())
		env.rest = append(env.rest, end)
		return err
	}
	ln, err := net.Listen("tcp4", second)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "OK") })}
	go server.Serve(ln)
	env.rest = append(env.rest, func() { server.Close() })
	return nil
}

func (env *goEnvironment) seen() fault.Counts {
	if env.watch != nil {
		return fault.Counts{Requests: env.watch.requests()}
	}
	return seenBy(env.servers)
}

// certificate is what a client has to trust, as PEM; "" without TLS.
func (env *goEnvironment) certificate() string {
	if len(env.servers) == 0 {
		return ""
	}
	return string(env.servers[0].CertificatePEM())
}

// occupied waits until the servers have seen a number of requests.
func (env *goEnvironment) occupied(n int) {
	for range 500 {
		if env.seen().Requests >= n {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (env *goEnvironment) close() {
	for _, end := range env.rest {
		end()
	}
	if env.names != nil {
		env.names.close()
	}
	if env.watch != nil {
		env.watch.close()
	}
	closeServers(env.servers)
}

func closeServers(servers []*fault.Server) {
	for _, f := range servers {
		f.Close()
	}
}
