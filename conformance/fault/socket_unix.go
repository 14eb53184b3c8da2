//go:build unix

package fault

import (
	"fmt"
	"net"
	"syscall"
	"time"
)

// deaf takes a port on which nothing is ever accepted. Bound and not listening,
// it refuses, and no other process can be given it in the meantime. For Backlog
// it listens with the shortest accept queue and fills it, so that the kernel
// drops every further SYN.
func (s *Server) deaf() error {
	fd, err := s.bind()
	if err != nil || s.cfg.Mode == Refuse {
		return err
	}
	if err := syscall.Listen(int(fd), 0); err != nil {
		return err
	}
	for range 16 {
		c, err := net.DialTimeout("tcp4", s.Addr(), 250*time.Millisecond)
		if err != nil {
			return nil
		}
		s.keep(c)
	}
	return fmt.Errorf("the accept queue of %s does not fill", s.Addr())
}

type socket int

// Close implements io.Closer.
func (fd socket) Close() error { return syscall.Close(int(fd)) }

func (s *Server) bind() (socket, error) {
	syscall.ForkLock.RLock()
	n, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(n)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return 0, err
	}
	fd := socket(n)
	if err := syscall.Bind(n, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		fd.Close()
		return 0, err
	}
	name, err := syscall.Getsockname(n)
	if err != nil {
		fd.Close()
		return 0, err
	}
	s.addr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: name.(*syscall.SockaddrInet4).Port}
	s.keep(fd)
	return fd, nil
}
