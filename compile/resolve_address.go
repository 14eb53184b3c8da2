package compile

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// addressList is the setting that lists the addresses of the peer; nil if there
// is none or it is not written.
func (e *effective) addressList() *setting {
	for _, s := range e.settings {
		if slices.Contains(s.field.Flags, "addresses") && s.state == known && len(s.words()) > 0 {
			return s
		}
	}
	return nil
}

// inUse are the listed addresses that are in use, each with its parameters.
func (e *effective) inUse() (list *setting, addresses []string) {
	list = e.addressList()
	if list == nil {
		return nil, nil
	}
	for _, address := range list.words() {
		if !slices.Contains(strings.Fields(address), "down") {
			addresses = append(addresses, address)
		}
	}
	return list, addresses
}

// mostFails is how many failures the address bears that bears the most, where ""
// is the block's number; zero, which is off, if one is never left out. ok says that
// an address has a number of its own, mixed that they differ.
func mostFails(texts []string, block *setting) (n int, ok, mixed bool) {
	first := true
	for _, t := range texts {
		one := block.number()
		if v, err := strconv.Atoi(t); err == nil && t != "" {
			one, ok = v, true
		}
		mixed = mixed || !first && one != n
		if first || one == 0 || n != 0 && one > n {
			n = one
		}
		first = false
	}
	return n, ok, mixed
}

// shortestOut is the shortest time that an address is left out, where "" is the block's.
func shortestOut(texts []string, block *setting) (d time.Duration, ok, mixed bool) {
	first := true
	for _, t := range texts {
		one := block.d
		if t != "" && block.field.Notation != nil {
			if v, err := block.field.Notation.Parse(t); err == nil {
				one, ok = v, true
			}
		}
		mixed = mixed || !first && one != d
		if first || one < d {
			d = one
		}
		first = false
	}
	return d, ok, mixed
}

// manyRequests lifts a bound of connections that is for HTTP/1 only where the callee speaks
// HTTP/2, on which one connection carries many requests.
func (t *tree) manyRequests(p *chain.Pool, e *effective, callee string) *chain.Pool {
	s := e.sized(chain.PoolSizePerHost)
	if p == nil || s == nil || !s.field.Size.H1Only || !t.given(t.protocol(callee), callee) || e.http2 == "" {
		return p
	}
	out := *p
	out.PerHost.N = 0
	out.PerHost.Origin.Note = callee + " speaks " + e.http2 + ", where it bounds no requests"
	return &out
}

// protocol is what is written of an endpoint's protocol; nil if nothing is.
func (t *tree) protocol(callee string) *Value {
	return t.at(t.layer(callee)).facts().value("endpoint", "protocol")
}

// speaksHTTP2 is the protocol of a callee's endpoint that is HTTP/2; "" where it is none,
// or not known.
func (t *tree) speaksHTTP2(callee string) string {
	if v := t.protocol(callee); v != nil && v.known() && slices.Contains(http2, v.text()) {
		return v.text()
	}
	return ""
}

// http2 are the protocols of an endpoint that are HTTP/2.
var http2 = []string{"h2", "grpc"}

// pool is what the settings bound; nil if they bound nothing.
func (e *effective) pool() *chain.Pool {
	var p chain.Pool
	if s := e.sized(chain.PoolSizePerHost); s != nil {
		p.PerHost = s.size()
	}
	p.Total = e.sized(chain.PoolSizeTotal).size()
	p.Idle, p.Opened = e.sized(chain.PoolIdleSize).size(), e.sized(chain.PoolMinimum).size()
	if !p.PerHost.Declared() && !p.Total.Declared() && !p.Idle.Declared() {
		return nil
	}
	return &p
}
