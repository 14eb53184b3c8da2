package conformance

import (
	"fmt"
	"net"
	"syscall"
	"time"
)

// deafAt listens at an address and never accepts, with a full queue, so that
// nothing answers a SYN there. It returns what ends it.
func deafAt(ip [4]byte, port int) (end func(), err error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return func() {}, err
	}
	var open []net.Conn
	end = func() {
		for _, c := range open {
			c.Close()
		}
		syscall.Close(fd)
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: ip, Port: port}); err != nil {
		return end, err
	}
	if err := syscall.Listen(fd, 0); err != nil {
		return end, err
	}
	addr := fmt.Sprintf("%d.%d.%d.%d:%d", ip[0], ip[1], ip[2], ip[3], port)
	for range 16 {
		c, err := net.DialTimeout("tcp4", addr, 250*time.Millisecond)
		if err != nil {
			return end, nil
		}
		open = append(open, c)
	}
	return end, fmt.Errorf("the queue of %s does not fill", addr)
}
