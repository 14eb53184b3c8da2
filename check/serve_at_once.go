package check

import (
	"fmt"
	"strconv"

	"tchain.dev/tchain/chain"
)

// closesAtOnce finds a server whose limit for the whole header of a request is zero:
// it runs from the beginning of the connection, and no request is ever read. One that
// starts again at each read may find the request there already.
func (p *Pass) closesAtOnce() {
	for _, r := range p.Stack.Routes {
		for _, n := range r.Nodes() {
			l, ok := n.ServeLimit(chain.RequestHeaderRead)
			if !ok || l.Bound > 0 || l.Reset != chain.ResetNone || !l.Ends() || l.Origin.Source == chain.Default {
				continue
			}
			end := p.closedTo(r, n, l.Bound)
			p.Report(Finding{
				Outcome: end,
				Routes:  []string{r.Name}, Layer: n.Layer, Setting: l.Origin.Setting, Owner: n.Owner,
				Severity: soften(Error, l.Origin), Pos: l.Origin.Pos, Label: "over as soon as it begins" + known(l.Origin),
				Message: fmt.Sprintf("%s%s is over as soon as it begins: %s closes each connection before it has read a request, and answers none",
					setting(l.Origin, nothing(l)), ofProduct(l.Origin), n.Layer) + inWords("; each request ends so:", end),
			})
		}
	}
}

// answersAtOnce finds an app whose limit for its handler is zero: it is over before the
// handler has done anything, and its status is all that anybody gets.
func (p *Pass) answersAtOnce() {
	for _, r := range p.Stack.Routes {
		for _, n := range r.Nodes() {
			l, ok := n.ServeLimit(chain.HandlerDeadline)
			status, err := strconv.Atoi(string(l.Fires))
			if !ok || err != nil || l.Bound > 0 || l.Origin.Source == chain.Default {
				continue
			}
			p.Report(Finding{
				Outcome: &chain.Outcome{Status: status, From: n, At: l.Bound},
				Routes:  []string{r.Name}, Layer: n.Layer, Setting: l.Origin.Setting, Owner: n.Owner,
				Severity: soften(Error, l.Origin), Pos: l.Origin.Pos, Label: "over as soon as it begins" + known(l.Origin),
				Message: fmt.Sprintf("%s%s is over as soon as it begins: %s answers %d to each request", setting(l.Origin, nothing(l)), ofProduct(l.Origin), n.Layer, status),
			})
		}
	}
}
