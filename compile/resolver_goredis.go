package compile

import (
	"fmt"
	"time"

	"tchain.dev/tchain/chain"
)

// adjustGoRedis settles what go-redis derives: a connection is dialled several
// times, and the wait for one follows the read.
func adjustGoRedis(e *effective) {
	dial, again, gap := e.find("DialTimeout"), e.find("DialerRetries"), e.find("DialerRetryTimeout")
	if n := time.Duration(again.number()); dial.state == known && again.state == known && n > 1 {
		dial.origin.Note = fmt.Sprintf("%d dials of %s, %s apart", n, dial.text, gap.text)
		dial.d = n*dial.d + (n-1)*gap.d
	}
	read, wait := e.find("ReadTimeout"), e.find("PoolTimeout")
	if !wait.written() && read.written() {
		wait.origin.Source, wait.origin.Note = chain.Derived, "PoolTimeout not set: ReadTimeout and 1s"
		wait.d = read.d + time.Second
		if !read.finite() {
			wait.origin.Note, wait.d = "PoolTimeout not set: 30s without a ReadTimeout", 30*time.Second
		}
		wait.text = wait.d.String()
		wait.origin.Text, wait.rests = wait.text, true
	}
	e.byCPU("PoolSize", "10 for each CPU")
}

// adjustPgx says that the size of the pool depends on the machine.
func adjustPgx(e *effective) { e.byCPU("MaxConns", "the greater of 4 and the number of CPUs") }

// byCPU says that a number that is not written depends on the machine.
func (e *effective) byCPU(name, what string) {
	if s := e.find(name); !s.written() && s.state == known {
		s.origin.Note = what
		e.open = append(e.open, fmt.Sprintf("%s is not written: it is %s, and %s is counted", name, what, s.text))
	}
}
