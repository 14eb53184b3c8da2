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
	life := e.find("maxLifetime")
	if life.written() && life.d > 0 && life.d < 30*time.Second {
		e.acts(life, 30*time.Minute, "1800000: it is less than 30000")
	}
	e.hikariPings(life)
	e.hikariIdle(life)
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
	if drivers > 1 {
		e.open = append(e.open, "pgjdbc and connectorj are both written: a pool has one driver, and the limits of both are counted")
	}
	if drivers == 0 {
		e.undeclared = true
		e.open = append(e.open, "the JDBC driver is not declared: its limits for connecting and reading are not known")
	}
	e.transaction()
}

// hikariPings switches off what does not fit, also where nobody wrote it.
func (e *effective) hikariPings(life *setting) {
	s := e.find("keepaliveTime")
	why := ""
	switch {
	case s.state != known || s.d <= 0 || s.d == chain.Never:
		return
	case s.d < 30*time.Second:
		why = "it is less than 30000"
	case life.state == known && life.d > 0 && s.d >= life.d:
		why = "it is not less than maxLifetime " + life.text
	default:
		return
	}
	if s.written() {
		e.remark(chain.NoticeIgnored, s, nil, "keepaliveTime %s has no effect: %s", s.text, why)
	}
	s.mute()
}

// hikariIdle is about connections beyond minimumIdle, of which there are none in a
// pool of a fixed size.
func (e *effective) hikariIdle(life *setting) {
	idle, least, most := e.find("idleTimeout"), e.find("minimumIdle"), e.find("maximumPoolSize")
	if !idle.written() || idle.state != known || idle.d == 0 || least.state != known || most.state != known {
		return
	}
	switch {
	case least.number() >= most.number():
		e.remark(chain.NoticeIgnored, idle, nil, "idleTimeout %s has no effect: minimumIdle is not less than maximumPoolSize %s", idle.text, most.text)
	case life.state == known && life.d > 0 && idle.d+time.Second > life.d:
		e.remark(chain.NoticeIgnored, idle, nil, "idleTimeout %s has no effect: it does not end a second before maxLifetime %s", idle.text, life.text)
	case idle.d < 10*time.Second:
		e.acts(idle, 10*time.Minute, "600000: it is less than 10000")
	}
}

// acts gives a written setting another value, with what that is and why.
func (e *effective) acts(s *setting, d time.Duration, as string) {
	e.remark(chain.NoticeIgnored, s, nil, "%s %s acts as %s", s.field.Name, s.text, as)
	s.d, s.origin.Note = d, "acts as "+as
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
