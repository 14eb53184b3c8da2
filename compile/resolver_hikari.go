package compile

import (
	"time"

	"tchain.dev/tchain/chain"
)

// adjustHikari does what HikariCP does to values that it does not take: some it
// refuses, some it replaces. Of the two drivers only the one that is written counts.
func adjustHikari(e *effective) {
	for _, name := range []string{"connectionTimeout", "validationTimeout"} {
		s := e.find(name)
		if s.written() && s.state == known && s.d < 250*time.Millisecond && (s.d != 0 || name == "validationTimeout") {
			e.remark(chain.NoticeRejected, s, nil, "%s %s: HikariCP refuses less than 250", name, s.text)
		}
	}
	if s := e.find("maxLifetime"); s.written() && s.d > 0 && s.d < 30*time.Second {
		e.remark(chain.NoticeIgnored, s, nil, "maxLifetime %s acts as 1800000: it is less than 30000", s.text)
		s.d, s.origin.Note = 30*time.Minute, "acts as 1800000: it is less than 30000"
	}
	if s := e.find("keepaliveTime"); s.written() && s.d > 0 && s.d < 30*time.Second {
		e.remark(chain.NoticeIgnored, s, nil, "keepaliveTime %s has no effect: it is less than 30000", s.text)
		s.mute()
	}
	idle, least, most := e.find("idleTimeout"), e.find("minimumIdle"), e.find("maximumPoolSize")
	if idle.written() && least.state == known && most.state == known && least.number() >= most.number() {
		e.remark(chain.NoticeIgnored, idle, nil, "idleTimeout %s has no effect: minimumIdle is not less than maximumPoolSize %s", idle.text, most.text)
	}
	drivers := 0
	for _, driver := range []string{"pgjdbc", "connectorj"} {
		if len(e.blocks.child(driver)) > 0 {
			drivers++
			continue
		}
		for _, s := range e.settings {
			if s.block == driver {
				s.mute()
			}
		}
	}
	if drivers == 0 {
		e.open = append(e.open, "the JDBC driver is not declared: its limits for connecting and reading are not known")
	}
	e.transaction()
}

// transaction cuts the time of a transaction to whole seconds; what is left of
// it overrides the driver's own time for a statement.
func (e *effective) transaction() {
	s := e.find("transaction.defaultTimeout")
	if !s.written() || s.state != known {
		return
	}
	switch whole := s.d.Truncate(time.Second); {
	case s.d < 0:
		s.mute()
		return
	case whole == 0:
		e.remark(chain.NoticeRejected, s, nil, "transaction.defaultTimeout %s is cut to 0 seconds: the first statement fails", s.text)
		s.d = 0
	case whole != s.d:
		e.remark(chain.NoticeIgnored, s, nil, "transaction.defaultTimeout %s acts as %s: whole seconds count", s.text, chain.Format(whole))
		s.d = whole
	}
	if query := e.find("pgjdbc.queryTimeout"); query.written() && query.d > 0 {
		e.remark(chain.NoticeShadowed, query, s, "queryTimeout %s is never in force within a transaction; what is left of transaction.defaultTimeout %s wins", query.text, s.text)
		query.mute()
	}
}
