package compile

import (
	"fmt"
	"testing"
	"time"
)

// ms is a value in milliseconds; none is one that is not set.
func ms(n int) *hc5Value { return &hc5Value{d: time.Duration(n) * time.Millisecond} }

var none *hc5Value

func show(v *hc5Value) string {
	if v == nil {
		return "nil"
	}
	return fmt.Sprint(v.d.Milliseconds())
}

func hc5(spring, version string) *hc5Config {
	return &hc5Config{version: version, spring: spring, defaultCRT: *ms(180000), defaultKA: *ms(180000), defaultCCT: *ms(180000), defaultSO: *ms(180000)}
}

// The numbers of the rows are those of the facts, section 5.
func TestTheRequestConfigInForceIsTheOneThatWasMeasured(t *testing.T) {
	base := &hc5Request{crt: ms(1000), rct: ms(1000), rt: ms(1000), ka: ms(30000)}
	for _, row := range []struct {
		n                   int
		spring, version     string
		client              *hc5Request
		connect, wait, read *hc5Value // of the factory
		context             *hc5Request
		isDefault           bool
		want                string
	}{
		{1, "6.2.19", "5.5.2", base, none, none, none, nil, false, "1000 1000 1000 30000"},
		{2, "6.2.19", "5.5.2", base, none, none, ms(2000), nil, false, "1000 1000 2000 30000"},
		{3, "6.2.19", "5.5.2", base, ms(2000), ms(2000), ms(2000), nil, false, "2000 2000 2000 30000"},
		{4, "6.2.19", "5.5.2", nil, none, none, ms(2000), nil, false, "180000 nil 2000 180000"},
		{6, "6.2.19", "5.5.2", base, none, none, ms(0), nil, false, "1000 1000 0 30000"},
		{7, "6.2.19", "5.5.2", base, none, ms(2000), none, &hc5Request{rt: ms(300)}, false, "180000 nil 300 180000"},
		{8, "6.2.19", "5.5.2", base, none, ms(2000), none, &hc5Request{}, false, "180000 nil nil 180000"},
		{9, "6.2.19", "5.5.2", base, none, ms(2000), none, &hc5Request{}, true, "2000 1000 1000 30000"},
		{13, "7.0.9", "5.5.2", base, none, ms(2000), ms(2000), nil, false, "2000 1000 2000 30000"},
		{14, "6.1.21", "5.3.1", base, ms(2000), ms(2000), none, nil, false, "2000 2000 1000 30000"},
		{16, "6.2.6", "5.3.1", base, ms(2000), ms(2000), ms(2000), nil, false, "1000 1000 1000 30000"},
		{17, "6.1.14", "5.5.2", base, ms(2000), ms(2000), none, nil, false, "1000 1000 1000 30000"},
		{18, "6.2.6", "5.5.2", base, none, ms(2000), none, &hc5Request{}, true, "180000 nil nil 180000"},
		{29, "", "5.5.2", &hc5Request{rct: ms(300)}, none, none, none, &hc5Request{}, false, "180000 nil nil 180000"},
	} {
		c := hc5(row.spring, row.version)
		c.client, c.context, c.contextIsDefault = row.client, row.context, row.isDefault
		c.factoryConnect, c.factoryRequest, c.factoryRead = row.connect, row.wait, row.read
		r := c.request()
		if got := show(r.crt) + " " + show(r.rct) + " " + show(r.rt) + " " + show(r.ka); got != row.want {
			t.Errorf("row %d: %s, want %s", row.n, got, row.want)
		}
	}
}

func TestASeenConfigurationHasTheLimitsOfTheTable(t *testing.T) {
	for _, row := range []struct {
		n       int
		version string
		context *hc5Request
		tunnel  bool
		want    string // pool wait, connect, handshake, fresh, reused
	}{
		{21, "5.5.2", nil, false, "5000 3000 3000 5000 5000"},
		{22, "5.5.2", &hc5Request{crt: ms(3000), ka: ms(30000), rt: ms(10000)}, false, "3000 1000 1000 10000 10000"},
		{23, "5.5", nil, false, "5000 3000 2000 5000 5000"},
		{24, "5.5.2", nil, true, "5000 3000 5000 5000 5000"},
	} {
		c := hc5("6.2.19", row.version)
		c.https, c.tunnel, c.context = true, row.tunnel, row.context
		c.so, c.cct, c.st = ms(2000), ms(1000), ms(3000)
		c.client = &hc5Request{rt: ms(5000), crt: ms(3000), ka: ms(30000)}
		c.factoryConnect, c.factoryRead, c.factoryRequest = ms(3000), ms(5000), ms(5000)
		r := c.request()
		if got := fmt.Sprint(show(r.crt), " ", show(c.connect(r)), " ", show(c.tls(r)), " ", show(c.readFresh(r)), " ", show(c.readReused(r, none, r))); got != row.want {
			t.Errorf("row %d: %s, want %s", row.n, got, row.want)
		}
	}
}

func TestConnectAndHandshakeEndWhenTheyWereMeasuredToEnd(t *testing.T) {
	for _, row := range []struct {
		n                        int
		version                  string
		tunnel                   bool
		cct, rct, so, rt, st, hs *hc5Value
		connect, handshake       string
	}{
		{26, "5.2.3", false, ms(400), none, none, none, none, none, "400", ""},
		{27, "5.6.4", false, ms(400), ms(200), none, none, none, none, "200", ""},
		{28, "5.6.4", false, ms(600), ms(0), none, none, none, none, "0", ""},
		{30, "5.5", false, ms(400), none, ms(900), none, none, none, "400", "900"},
		{31, "5.5.1", false, ms(400), none, ms(900), none, none, none, "400", "400"},
		{31, "5.6.4", false, ms(400), none, ms(900), none, none, none, "400", "400"},
		{32, "5.3.1", false, ms(400), none, ms(900), none, none, ms(700), "400", "700"},
		{32, "5.6.4", false, ms(400), none, ms(900), none, none, ms(700), "400", "700"},
		{33, "5.5.1", false, ms(0), none, ms(900), none, none, none, "0", "0"},
		{34, "5.5", false, ms(0), none, ms(900), none, none, none, "0", "900"},
		{36, "5.5.1", true, ms(400), none, ms(900), none, none, ms(300), "400", "900"},
		{37, "5.5", true, ms(400), none, ms(900), none, none, ms(300), "400", "300"},
		{38, "5.5.2", true, none, none, ms(900), ms(600), ms(700), none, "180000", "600"},
		{39, "5.4.4", true, none, none, ms(900), none, ms(700), none, "180000", "700"},
	} {
		c := hc5("", row.version)
		c.https, c.tunnel, c.cct, c.so, c.st, c.hs = true, row.tunnel, row.cct, row.so, row.st, row.hs
		c.client = &hc5Request{rct: row.rct, rt: row.rt}
		r := c.request()
		if got := show(c.connect(r)); got != row.connect {
			t.Errorf("row %d, %s: connect %s, want %s", row.n, row.version, got, row.connect)
		}
		if got := show(c.tls(r)); row.handshake != "" && got != row.handshake {
			t.Errorf("row %d, %s: handshake %s, want %s", row.n, row.version, got, row.handshake)
		}
	}
}

func TestAReadEndsWhenItWasMeasuredToEnd(t *testing.T) {
	for _, row := range []struct {
		n                   int
		version             string
		https, tunnel       bool
		rt, st, so, cct, hs *hc5Value
		last                *hc5Value // the response timeout of the request before
		fresh, reused       string    // "" is not part of the row
	}{
		{42, "5.5.2", false, false, none, none, ms(300), none, none, none, "300", ""},
		{43, "5.5.2", false, false, none, ms(500), ms(300), none, none, none, "500", ""},
		{44, "5.5.2", false, false, ms(700), ms(500), ms(300), none, none, none, "700", ""},
		{46, "5.5.2", false, false, none, ms(0), ms(300), none, none, none, "0", ""},
		{47, "5.2.3", false, false, none, none, none, none, none, ms(300), "", "300"},
		{47, "5.6", false, false, none, none, none, none, none, ms(300), "", "300"},
		{48, "5.6.4", false, false, none, none, none, none, none, ms(300), "", "180000"},
		{49, "5.5", false, false, none, ms(5000), none, none, none, ms(300), "", "300"},
		{51, "5.5.1", true, false, none, none, ms(180000), ms(500), none, none, "180000", "500"},
		{51, "5.6", true, false, none, none, ms(180000), ms(500), none, none, "180000", "500"},
		{52, "5.5", true, false, none, none, ms(180000), ms(500), none, none, "180000", "180000"},
		{52, "5.6.4", true, false, none, none, ms(180000), ms(500), none, none, "180000", "180000"},
		{53, "5.5.2", true, false, none, none, none, ms(500), ms(300), none, "", "300"},
		{54, "5.4.4", true, false, none, none, none, none, ms(300), none, "300", ""},
		{54, "5.5", true, false, none, none, none, none, ms(300), none, "300", ""},
		{56, "5.6", false, false, none, none, ms(300), none, none, ms(0), "", "0"},
		{57, "5.6.4", false, false, none, none, ms(300), none, none, ms(0), "", "300"},
		{58, "5.3.1", true, true, none, none, none, none, none, ms(400), "", "400"},
		{58, "5.6.4", true, true, none, none, none, none, none, ms(400), "", "400"},
		{59, "5.5.2", true, true, none, ms(5000), none, none, none, ms(400), "", "5000"},
		{62, "5.5.1", true, false, none, none, ms(5000), ms(500), none, none, "5000", "500"},
		{63, "5.5.2", true, false, none, ms(5000), none, ms(500), none, none, "5000", "5000"},
	} {
		c := hc5("", row.version)
		c.https, c.tunnel, c.st, c.so, c.cct, c.hs = row.https, row.tunnel, row.st, row.so, row.cct, row.hs
		c.client = &hc5Request{rt: row.rt}
		r := c.request()
		if got := show(c.readFresh(r)); row.fresh != "" && got != row.fresh {
			t.Errorf("row %d, %s: fresh %s, want %s", row.n, row.version, got, row.fresh)
		}
		if got := show(c.readReused(r, row.last, hc5Request{rt: row.last})); row.reused != "" && got != row.reused {
			t.Errorf("row %d, %s: reused %s, want %s", row.n, row.version, got, row.reused)
		}
	}
}
