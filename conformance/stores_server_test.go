package conformance

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"tchain.dev/tchain/conformance/fault"
)

// A speaker talks on one connection in a store's protocol. It calls answers for
// each request that is measured, and writes the answer if that says so.
type speaker func(c net.Conn, answers func() bool) error

// A storeServer is a server on loopback that takes every login, and does to
// requests what its mode says.
type storeServer struct {
	ln    net.Listener
	cfg   fault.Config
	mu    sync.Mutex
	n     int
	conns []net.Conn
}

func startStore(cfg fault.Config, speak speaker) (*storeServer, error) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &storeServer{ln: ln, cfg: cfg}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns = append(s.conns, c)
			s.mu.Unlock()
			go func() {
				defer c.Close()
				speak(c, s.answers)
			}()
		}
	}()
	return s, nil
}

func (s *storeServer) answers() bool {
	s.mu.Lock()
	s.n++
	s.mu.Unlock()
	time.Sleep(time.Duration(s.cfg.DelayMS) * time.Millisecond)
	return s.cfg.Mode != fault.Silent
}

func (s *storeServer) addr() string { return s.ln.Addr().String() }

func (s *storeServer) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

func (s *storeServer) close() {
	s.ln.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.Close()
	}
}

// speakRedis knows RESP 2: what is no GET belongs to the login.
func speakRedis(c net.Conn, answers func() bool) error {
	in := bufio.NewReader(c)
	for {
		var n int
		if _, err := fmt.Fscanf(in, "*%d\r\n", &n); err != nil {
			return err
		}
		words := make([]string, n)
		for i := range words {
			var size int
			if _, err := fmt.Fscanf(in, "$%d\r\n", &size); err != nil {
				return err
			}
			word := make([]byte, size+2)
			if _, err := io.ReadFull(in, word); err != nil {
				return err
			}
			words[i] = strings.ToUpper(string(word[:size]))
		}
		reply := "+OK\r\n"
		switch words[0] {
		case "HELLO":
			reply = "-ERR unknown command 'HELLO'\r\n"
		case "GET":
			if !answers() {
				continue
			}
			reply = "$1\r\n1\r\n"
		}
		if _, err := io.WriteString(c, reply); err != nil {
			return err
		}
	}
}

// speakPostgres takes any login, and answers simple queries.
func speakPostgres(c net.Conn, answers func() bool) error {
	b := pgproto3.NewBackend(c, c)
	if _, err := b.ReceiveStartupMessage(); err != nil {
		return err
	}
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{0, 0, 0, 1}})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if err := b.Flush(); err != nil {
		return err
	}
	for {
		message, err := b.Receive()
		if err != nil {
			return err
		}
		if _, isQuery := message.(*pgproto3.Query); !isQuery || !answers() {
			continue
		}
		b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 0")})
		b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		if err := b.Flush(); err != nil {
			return err
		}
	}
}

// storeModules are where the clients come from.
var storeModules = map[string]string{redisKey: "github.com/redis/go-redis/v9", pgxKey: "github.com/jackc/pgx/v5"}

// moduleVersion is the release of a module in go.mod.
func moduleVersion(path string) string {
	out, _ := exec.Command("go", "list", "-m", "-f", "{{.Version}}", path).Output()
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "v")
}
