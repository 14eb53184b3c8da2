package conformance

import (
	"context"
	"encoding/binary"
	"net"
)

// A nameServer answers every question for an IPv4 address with the same
// addresses, in their order.
type nameServer struct {
	conn  net.PacketConn
	addrs []net.IP
}

func startNames(addrs ...net.IP) (*nameServer, error) {
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	n := &nameServer{conn, addrs}
	go n.serve()
	return n, nil
}

func (n *nameServer) close() { n.conn.Close() }

func (n *nameServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp4", n.conn.LocalAddr().String())
	}}
}

func (n *nameServer) serve() {
	buf := make([]byte, 1500)
	for {
		size, from, err := n.conn.ReadFrom(buf)
		if err != nil {
			return
		}
		if answer := n.answer(buf[:size]); answer != nil {
			n.conn.WriteTo(answer, from)
		}
	}
}

const (
	dnsHeader = 12
	typeA     = 1
)

// answer is the response to one question; nil if it is none.
func (n *nameServer) answer(query []byte) []byte {
	end := dnsHeader
	for end < len(query) && query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5 // the root, type and class
	if end > len(query) {
		return nil
	}
	out := append([]byte{}, query[:end]...)
	out[2], out[3] = 0x81, 0x80 // a response, recursion available, no error
	copy(out[6:dnsHeader], make([]byte, 6))
	if binary.BigEndian.Uint16(query[end-4:]) != typeA {
		return out
	}
	binary.BigEndian.PutUint16(out[6:], uint16(len(n.addrs)))
	for _, ip := range n.addrs {
		out = append(out, 0xc0, dnsHeader, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4)
		out = append(out, ip.To4()...)
	}
	return out
}
