package conformance

import (
	"testing"

	"tchain.dev/tchain/chain"
)

func TestTheTraceOfTheSameSettingsSaysTheSame(t *testing.T) {
	for _, s := range NGINXScenarios() {
		t.Run(s.Name, func(t *testing.T) {
			r, err := modelOf(s)
			if err != nil {
				t.Fatal(err)
			}
			f, ok := faultOf(s, r)
			if !ok {
				return // upstreams that differ, or a state that an earlier request left: no fault of the model
			}
			want := s.Predict
			want.FirstByteMS = 0
			got := predicted(chain.Play(r, f), s.Product, directive)
			if got != want && s.Unmodelled == "" {
				t.Errorf("the trace says %+v, the scenario %+v", got, want)
			}
			if got == want && s.Unmodelled != "" {
				t.Error("the model knows this now: remove Unmodelled")
			}
		})
	}
}
