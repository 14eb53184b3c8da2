package compile

import (
	"fmt"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

func nodeClient(t *testing.T, settings string) (*chain.Stack, *chain.Call) {
	t.Helper()
	s := resolveText(t, jvmStack("", "node: {version: \"20.20.2\", "+settings+"}", "external: {}", "GET /"))
	return s, call(t, s, "api", "pay")
}

// derivations are how the timers of a call were settled, a line each.
func derivations(c *chain.Call) string {
	var b strings.Builder
	for _, d := range c.Derivations {
		fmt.Fprintf(&b, "%s: %s by %s", d.Timer, chain.Format(d.Value), d.Winner.Name)
		for _, x := range d.Dropped {
			fmt.Fprintf(&b, ", not %s %s", x.Origin.Name, x.Origin.Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestNodeSettlesWhoseTimeoutCounts(t *testing.T) {
	for _, row := range []struct{ says, settings, silent, blackhole, early, late, notices string }{
		{"an agent's counts where the request has none", `destroyOnTimeout: true, agent: {keepAlive: true, timeout: 3000}`,
			"agent.timeout 3s", "agent.timeout 3s", "3s by agent.timeout", "3s by agent.timeout", ""},
		{"the request's replaces it, longer", `destroyOnTimeout: true, timeout: 5000, agent: timeout: 3000`,
			"timeout 5s", "timeout 5s", "5s by timeout, not agent.timeout 3000", "5s by timeout, not agent.timeout 3000", "shadowed: agent.timeout 3000 is never in force; timeout 5000 wins\n"},
		{"but not where it keeps idle connections", `destroyOnTimeout: true, timeout: 5000, agent: {keepAlive: true, timeout: 3000}`,
			"timeout 5s", "timeout 5s", "5s by timeout, not agent.timeout 3000", "5s by timeout, not agent.timeout 3000", ""},
		{"a zero of the request's is none", `destroyOnTimeout: true, timeout: 0, agent: {keepAlive: true, timeout: 3000}`,
			"", "the kernel's limit 2m15s", "never by timeout, not agent.timeout 3000", "never by timeout, not agent.timeout 3000", ""},
		{"setTimeout counts once the socket is connected", `destroyOnTimeout: true, setTimeout: 1000, agent: {keepAlive: true, timeout: 3000}`,
			"setTimeout 1s", "agent.timeout 3s", "3s by agent.timeout", "1s by setTimeout, not agent.timeout 3000", ""},
		{"and replaces the request's timeout there", `destroyOnTimeout: true, setTimeout: 1000, timeout: 2000`,
			"setTimeout 1s", "timeout 2s", "2s by timeout", "1s by setTimeout, not timeout 2000", ""},
		{"without an agent it is the global one's", `destroyOnTimeout: true`,
			"globalAgent.timeout 5s", "globalAgent.timeout 5s", "5s by globalAgent.timeout", "5s by globalAgent.timeout", ""},
		{"an agent of its own has none", `destroyOnTimeout: true, agent: {}`,
			"", "the kernel's limit 2m15s", "never by agent.timeout", "never by agent.timeout", ""},
		{"an event ends nothing", `timeout: 2000`,
			"", "the kernel's limit 2m15s", "never by destroyOnTimeout, not timeout 2000", "never by destroyOnTimeout, not timeout 2000", ""},
		{"neither does that of setTimeout", `setTimeout: 3000, agent: {}`,
			"", "the kernel's limit 2m15s", "never by destroyOnTimeout", "never by destroyOnTimeout, not setTimeout 3000", ""},
		{"nor two of them, each left out once", `setTimeout: 3000, timeout: 2000`,
			"", "the kernel's limit 2m15s", "never by destroyOnTimeout, not timeout 2000", "never by destroyOnTimeout, not setTimeout 3000, not timeout 2000", ""},
	} {
		s, c := nodeClient(t, row.settings)
		for kind, want := range map[chain.FaultKind]string{chain.Silent: row.silent, chain.Blackhole: row.blackhole} {
			got := ""
			for _, e := range chain.Play(s.Routes[0], chain.Fault{Kind: kind, Call: c, From: node(t, s, "api")}).Events {
				if e.Kind == chain.EvTimeout {
					got = e.Limit.Origin.Name + " " + e.Limit.Bound.String()
				}
			}
			if got != want {
				t.Errorf("%s: %s is ended by %q, want %q", row.says, kind, got, want)
			}
		}
		want := timerSocket + ": " + row.early + "\n" + timerLater + ": " + row.late + "\n"
		if got := derivations(c); got != want {
			t.Errorf("%s:\n%swant\n%s", row.says, got, want)
		}
		if got := notices(s); got != row.notices && !strings.Contains(row.settings, "timeout: 0") {
			t.Errorf("%s: %s", row.says, got)
		}
	}
}

func TestNodeNamesATimeoutWithItsBlock(t *testing.T) {
	_, c := nodeClient(t, `timeout: 2000`)
	l, ok := c.Limit(chain.AttemptDeadline)
	if !ok || l.Origin.Name != "signal.timeout" {
		t.Errorf("got %q", l.Origin.Name)
	}
}

func TestNodeSaysOnceWhatAReleaseChanges(t *testing.T) {
	s := resolveText(t, jvmStack("", "node: destroyOnTimeout: true", "external: {}", "GET /"))
	const want = "implicit: version of node is open: from 19 on globalAgent.timeout 5000 and keepAlive true, before 0 and false\n"
	if got := notices(s); got != want {
		t.Errorf("got %s", got)
	}
}

func TestNodesAgentGivesUpASecondBeforeAShorterAnnouncedTime(t *testing.T) {
	for _, row := range []struct{ says, version, settings, callee, want string }{
		{"it replaces a longer one", "20.20.2", `agent: {keepAlive: true, timeout: 10_000}`, `{endpoint: announcesKeepAlive: "5s", external: {}}`, "4s announced by pay, less 1s"},
		{"in a later release, too", "24.22.3", `agent: {keepAlive: true, timeout: 10_000}`, `{endpoint: announcesKeepAlive: "5s", external: {}}`, "4s announced by pay, less 1s"},
		{"the global agent reads it", "20.20.2", ``, `{endpoint: announcesKeepAlive: "3s", external: {}}`, "2s announced by pay, less 1s"},
		{"a Node server announces its own without the buffer", "24.22.3", `agent: {keepAlive: true, timeout: 10_000}`, `app: server: node: version: "24.22.3"`, "4s announced by pay, less 1s"},
		{"the agent's own stays where it is shorter", "20.20.2", `agent: {keepAlive: true, timeout: 2000}`, `{endpoint: announcesKeepAlive: "5s", external: {}}`, "2s "},
		{"an agent without a timeout does not read it", "20.20.2", `agent: keepAlive: true`, `{endpoint: announcesKeepAlive: "5s", external: {}}`, "never "},
		{"with nothing left of it no connection is kept", "20.20.2", `agent: {keepAlive: true, timeout: 10_000}`, `{endpoint: announcesKeepAlive: "1s", external: {}}`, ""},
		{"before 22.9 there is no buffer", "22.8.0", `agent: {keepAlive: true, timeout: 10_000}`, `{endpoint: announcesKeepAlive: "3s", external: {}}`, "3s announced by pay"},
		{"one that is written counts", "24.22.3", `agent: {keepAlive: true, timeout: 10_000, agentKeepAliveTimeoutBuffer: 500}`, `{endpoint: announcesKeepAlive: "3s", external: {}}`, "2.5s announced by pay, less 500ms"},
		{"since then there is", "22.9.0", `agent: {keepAlive: true, timeout: 10_000}`, `{endpoint: announcesKeepAlive: "3s", external: {}}`, "2s announced by pay, less 1s"},
		{"in the line of 20 since 20.18", "20.17.0", `agent: {keepAlive: true, timeout: 10_000}`, `{endpoint: announcesKeepAlive: "3s", external: {}}`, "3s announced by pay"},
		{"and not in that of 21", "21.7.3", `agent: {keepAlive: true, timeout: 10_000}`, `{endpoint: announcesKeepAlive: "3s", external: {}}`, "3s announced by pay"},
		{"before Node 20 it is not read", "18.20.0", `agent: {keepAlive: true, timeout: 10_000}`, `{endpoint: announcesKeepAlive: "5s", external: {}}`, "10s "},
		{"a server that announces none changes nothing", "20.20.2", `agent: {keepAlive: true, timeout: 10_000}`, `{endpoint: announcesKeepAlive: false, external: {}}`, "10s "},
	} {
		s := resolveText(t, jvmStack("", "node: {version: \""+row.version+"\", "+row.settings+"}", row.callee, "GET /"))
		got := ""
		for _, l := range call(t, s, "api", "pay").Idle {
			got += chain.Format(l.Bound) + " " + l.Origin.Note
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", row.says, got, row.want)
		}
	}
}

func TestAnOpenNodeLeavesOpenWhetherAnAnnouncedTimeCounts(t *testing.T) {
	const longer, announces = `agent: {keepAlive: true, timeout: 10_000}`, `{endpoint: announcesKeepAlive: "5s", external: {}}`
	for _, row := range []struct{ says, version, settings, callee, want string }{
		{"no version", ``, longer, announces, "implicit: version of node is open: from 20 on an idle connection is kept for 4s, as pay announces 5s, before it is kept for 10s\n"},
		{"nothing left of it", ``, longer, `{endpoint: announcesKeepAlive: "1s", external: {}}`, "implicit: version of node is open: from 20 on no idle connection is kept, as pay announces 1s, before it is kept for 10s\n"},
		{"a version that reads it", `version: "20", `, longer, announces, ""},
		{"one that does not", `version: "18", `, longer, announces, ""},
		{"a longer one, which changes nothing", ``, `agent: {keepAlive: true, timeout: 3_000}`, announces, ""},
		{"none announced", ``, longer, `{endpoint: announcesKeepAlive: false, external: {}}`, ""},
	} {
		s := resolveText(t, jvmStack("", "node: {"+row.version+row.settings+"}", row.callee, "GET /"))
		got := ""
		for _, line := range strings.SplitAfter(notices(s), "\n") {
			if strings.Contains(line, "announces") {
				got += line
			}
		}
		if got != row.want {
			t.Errorf("%s: %q, want %q", row.says, got, row.want)
		}
	}
}
