package fault

import (
	"crypto/tls"
	"io"
	"net"
	"sync"
)

// Counts is what a server saw so far.
type Counts struct {
	Connections int `json:"connections"` // accepted
	Requests    int `json:"requests"`    // whose header was read, or that an idle race cut off
	Answered    int `json:"answered"`    // completely
	Abandoned   int `json:"abandoned"`   // left by the other side before their answer was complete
}

// Minus is what was counted since an earlier look.
func (c Counts) Minus(earlier Counts) Counts {
	return Counts{
		Connections: c.Connections - earlier.Connections,
		Requests:    c.Requests - earlier.Requests,
		Answered:    c.Answered - earlier.Answered,
		Abandoned:   c.Abandoned - earlier.Abandoned,
	}
}

// A Server is one running server on loopback. Its methods may be called from
// any goroutine.
type Server struct {
	cfg   Config
	addr  *net.TCPAddr
	ln    net.Listener // nil where nothing is ever accepted
	tls   *tls.Config
	cert  []byte
	done  chan struct{}
	group sync.WaitGroup

	mu     sync.Mutex
	counts Counts
	open   map[io.Closer]struct{}
	closed bool
}

// Start starts a server on a free port of 127.0.0.1.
func Start(c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	s := &Server{cfg: c, done: make(chan struct{}), open: map[io.Closer]struct{}{}}
	if c.TLS {
		var err error
		if s.tls, s.cert, err = selfSigned(); err != nil {
			return nil, err
		}
	}
	if c.Mode == Refuse || c.Mode == Backlog {
		if err := s.deaf(); err != nil {
			s.Close()
			return nil, err
		}
		return s, nil
	}
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.ln, s.addr = ln, ln.Addr().(*net.TCPAddr)
	s.group.Go(s.accept)
	return s, nil
}

// Addr is where the server listens, as host:port.
func (s *Server) Addr() string { return s.addr.String() }

// Port is the port of Addr.
func (s *Server) Port() int { return s.addr.Port }

// Config is what the server was started with.
func (s *Server) Config() Config { return s.cfg }

// CertificatePEM is the certificate of a TLS server, which is its own root; nil
// without TLS.
func (s *Server) CertificatePEM() []byte { return s.cert }

// Counts is what the server saw so far.
func (s *Server) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Close ends every connection and returns when nothing of the server runs any more.
func (s *Server) Close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.done)
		if s.ln != nil {
			s.ln.Close()
		}
		for c := range s.open {
			c.Close()
		}
	}
	s.mu.Unlock()
	s.group.Wait()
}

func (s *Server) accept() {
	for {
		raw, err := s.ln.Accept()
		if err != nil {
			return
		}
		s.count(func(c *Counts) { c.Connections++ })
		if !s.keep(raw) {
			continue
		}
		s.group.Go(func() {
			defer s.drop(raw)
			s.serve(raw.(*net.TCPConn))
		})
	}
}

// keep has Close end c too; false if it is too late, and c is closed.
func (s *Server) keep(c io.Closer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		c.Close()
		return false
	}
	s.open[c] = struct{}{}
	return true
}

func (s *Server) drop(c io.Closer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
	c.Close()
}

func (s *Server) count(f func(*Counts)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(&s.counts)
}
