package compile

import (
	"slices"
	"strconv"
	"strings"

	"tchain.dev/tchain/chain"
)

// asksWithout reports whether a version of HTTP knows no upgrade: a server has to ignore
// the Upgrade of a request in HTTP/1.0, and in HTTP/2 there is none,
// https://www.rfc-editor.org/rfc/rfc9110#section-7.8.
func (s *setting) asksWithout() bool {
	return s != nil && s.state == known && (s.text == "1.0" || s.text == "2")
}

func (s *setting) noUpgrade() *chain.NoUpgrade {
	why := "in which a server ignores Upgrade"
	if s.text == "2" {
		why = "which has no Upgrade"
	}
	return &chain.NoUpgrade{
		By: s.origin, Label: "no upgrade in HTTP/" + s.text, Asks: "in HTTP/" + s.text + ", " + why,
		Remedy: []chain.Change{{Origin: s.origin, Text: "1.1"}},
	}
}

// What a location of WebSockets sends: https://nginx.org/en/docs/http/websocket.html.
const (
	upgradeValue    = "$http_upgrade"
	connectionValue = "upgrade"
)

// nginxUpgrades says why a WebSocket never opens through NGINX, which sends neither header
// on by itself. What a variable is, is known at run time only.
func (e *effective) nginxUpgrades(protocol, connection, upgrade *setting) {
	if connection == nil || upgrade == nil {
		return
	}
	in := protocol.asksWithout()
	noConnection := connection.state == known && !strings.Contains(connection.text, "$") && !connection.lists(connectionValue)
	noUpgrade := upgrade.state == known && upgrade.text == ""
	if !in && !noConnection && !noUpgrade {
		return
	}
	e.noUpgrade = func(at location) *chain.NoUpgrade {
		out := &chain.NoUpgrade{}
		switch {
		case in:
			out = protocol.noUpgrade()
		case noConnection:
			says := "with Connection: " + connection.text
			if connection.text == "" {
				says = "without a Connection header"
			}
			out.By, out.Label, out.Asks = connection.origin, "asks for no upgrade", says+", which asks for no upgrade"
		default:
			out.By, out.Label, out.Asks = upgrade.origin, "no Upgrade is sent", "without an Upgrade header"
			if !upgrade.written() {
				out.By.StandAt(connection.origin)
			}
		}
		if noConnection || noUpgrade {
			lines := e.upgradeLines(at, connection, upgrade, noConnection, noUpgrade)
			if lines == nil {
				out.Remedy = nil
				return out
			}
			out.Remedy = append(out.Remedy, lines...)
		}
		return out
	}
}

// upgradeLines are the header lines with which the location of the route asks for an
// upgrade; nil where they cannot be written for it alone. The first line in a block
// switches off those of the outer ones, so that it takes them all.
func (e *effective) upgradeLines(at location, connection, upgrade *setting, noConnection, noUpgrade bool) []chain.Change {
	key, there := e.match(e.keysOf("location"))
	switch {
	case !there:
		key = at.literal()
	case strings.TrimRight(strings.TrimLeft(key, "=^~ "), "/") != strings.TrimRight(at.literal(), "/"):
		return nil // it is the location of other paths, too
	}
	path := append(slices.Clone(e.path), "location", key, "proxy_set_header")
	var out []chain.Change
	if own := settingPath(path) + "."; strings.HasPrefix(connection.origin.Setting, own) {
		for _, x := range []struct {
			s     *setting
			wrong bool
			text  string
		}{{upgrade, noUpgrade, upgradeValue}, {connection, noConnection, connectionValue}} {
			if x.wrong {
				out = append(out, chain.Change{Origin: x.s.origin, Text: x.text})
			}
		}
		return out
	}
	if e.place == nil || key == "" {
		return nil
	}
	before, after, rng, ok := e.place(path)
	if !ok {
		return nil
	}
	lines := []string{"Upgrade: " + strconv.Quote(upgradeValue), "Connection: " + strconv.Quote(connectionValue)}
	for _, s := range e.settings {
		if name, is := strings.CutPrefix(s.name, "proxy_set_header."); is && s.written() && s != connection && s != upgrade {
			lines = append(lines, quoteLabel(name)+": "+strconv.Quote(s.text))
		}
	}
	o := connection.origin
	o.Setting, o.Text, o.Name = settingPath(path), "", "proxy_set_header"
	o.Place = &chain.Place{Range: rng, Before: before, After: after}
	return []chain.Change{{Origin: o, Text: "{" + strings.Join(lines, ", ") + "}"}}
}
