package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/compile"
)

// A routeQuestion is what a person asks of one route: how its values come
// about, or what one fault does.
type routeQuestion struct {
	stacks
	hop   string // "api:auth"; "" is all
	fault string // a fault's kind; "" asks for values
	at    string // the layer that goes wrong
}

func (q *routeQuestion) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&q.hop, "hop", "", "only the call between two layers, as api:auth")
	f.StringVar(&q.fault, "fault", "", "play a fault instead: "+strings.Join(faultNames(), ", "))
	f.StringVar(&q.at, "at", "", "the layer that goes wrong; without it every one")
	q.stacks.addFlags(cmd)
}

// unasked is the error for a flag of a route's question where there is no route.
func (q *routeQuestion) unasked(cmd *cobra.Command) error {
	var err error
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if err == nil && f.Changed && f.Name != "help" && f.Name != "types" && (f.Name != "timeout" || !cmd.Flags().Changed("types")) {
			err = usagef("--%s asks about a route; name the stack and the route", f.Name)
		}
	})
	return err
}

func faultNames() []string {
	var out []string
	for _, k := range chain.FaultKinds {
		out = append(out, string(k))
	}
	return out
}

// explain answers for every route of the stacks under path that has the name.
func (q *routeQuestion) explain(w io.Writer, path, name string) error {
	if q.fault != "" {
		if err := oneOf("fault", q.fault, faultNames()...); err != nil {
			return err
		}
	}
	units, ok, err := q.all([]string{path})
	if err != nil || !ok && len(units) == 0 {
		return err
	}
	var names []string
	found := false
	for _, u := range units {
		for _, r := range u.Stack.Routes {
			names = append(names, r.Name)
			found = found || r.Name == name
		}
		if err := q.answer(w, u, name); err != nil {
			return err
		}
	}
	if !found {
		return unknown("route", name, names)
	}
	return nil
}

// answer is what is asked of the routes of one stack that have the name.
func (q *routeQuestion) answer(w io.Writer, u *compile.Unit, name string) error {
	b := budgetOf(u, q.timeout)
	for _, r := range u.Stack.Routes {
		if r.Name != name {
			continue
		}
		var text string
		var err error
		if !b.spend(func(ctx context.Context) { text, err = q.route(ctx, r) }) {
			q.run.raise(ExitUsage)
			return q.tell([]*compile.Unit{b.late(u, "explanation")}, compile.Summary{Units: 1})
		}
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// route is the answer for one route; what it says once ctx has ended counts for nothing.
func (q *routeQuestion) route(ctx context.Context, r *chain.Route) (string, error) {
	if q.fault != "" || q.at != "" {
		return q.play(ctx, r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Name, strings.Join(r.Path, " → "))
	shown := 0
	for _, n := range r.Nodes() {
		for _, c := range n.Calls() {
			if q.hop == "" || q.hop == n.Layer+":"+c.To.Layer {
				shown++
				b.WriteString(hopText(n, c))
			}
		}
	}
	if shown == 0 {
		return "", usagef("%s has no call %s; its calls are %s", r.Name, q.hop, strings.Join(callNames(r), ", "))
	}
	return b.String(), nil
}

// play is the whole trace of each fault that was asked for.
func (q *routeQuestion) play(ctx context.Context, r *chain.Route) (string, error) {
	var b strings.Builder
	shown := 0
	for _, f := range chain.Faults(r) {
		if ctx.Err() != nil {
			break
		}
		if q.fault != "" && !q.asksFor(f) || q.at != "" && q.at != placeOf(f) || q.hop != "" && q.hop != f.From.Layer+":"+f.Call.To.Layer {
			continue
		}
		shown++
		t := chain.Play(r, f)
		fmt.Fprintf(&b, "%s; %s:\n", r.Name, f.Text())
		for _, l := range t.Lines() {
			fmt.Fprintf(&b, "  %8s  %s  %s\n", chain.Shown(l.At), l.Who, l.What)
		}
		fmt.Fprintf(&b, "  → %s\n", t.Outcome.Text())
	}
	if shown == 0 {
		return "", usagef("%s has no such fault there: %s", r.Name, q.whyNone(r))
	}
	return b.String(), nil
}

// whyNone is why no fault of a route is the one that was asked for.
func (q *routeQuestion) whyNone(r *chain.Route) string {
	var there, kinds, calls []string
	for _, f := range chain.Faults(r) {
		place, call := placeOf(f), f.From.Layer+":"+f.Call.To.Layer
		if !slices.Contains(calls, call) {
			calls = append(calls, call)
		}
		if q.hop != "" && q.hop != call {
			continue
		}
		if !slices.Contains(there, place) {
			there = append(there, place)
		}
		if (q.at == "" || q.at == place) && !slices.Contains(kinds, string(f.Kind)) {
			kinds = append(kinds, string(f.Kind))
		}
	}
	switch takes := chain.FaultKind(q.fault).Takes(); {
	case len(there) == 0:
		return "its calls are " + strings.Join(calls, ", ")
	case len(kinds) == 0:
		return "nothing calls " + q.at + "; what can go wrong is " + strings.Join(there, ", ")
	case takes != "":
		return q.fault + " takes " + takes + "; it has " + strings.Join(kinds, ", ")
	default:
		return "it has " + strings.Join(kinds, ", ")
	}
}

// placeOf is the layer that goes wrong.
func placeOf(f chain.Fault) string {
	if f.AtProxy() {
		return f.Call.Via
	}
	return f.Call.To.Layer
}

// asksFor reports whether a fault is of the kind that was asked for: a forward proxy
// that is asked to be silent is so to a CONNECT.
func (q *routeQuestion) asksFor(f chain.Fault) bool {
	return q.fault == string(f.Kind) || q.fault == string(chain.Silent) && f.Kind == chain.TunnelStall && q.at == f.Call.Via
}

// callNames are the calls of a route as --hop names them.
func callNames(r *chain.Route) []string {
	var out []string
	for _, n := range r.Nodes() {
		for _, c := range n.Calls() {
			if name := n.Layer + ":" + c.To.Layer; !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}
