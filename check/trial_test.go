package check_test

import (
	"context"
	"errors"
	"testing"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
)

func TestATrialHasTheFindingsOfARunAndNothingToShow(t *testing.T) {
	for _, rule := range check.Rules {
		s := stackOf(t, rule.Bad())
		whole := check.RunOn(s, "")
		trial, err := check.RunTrial(context.Background(), s, "")
		if err != nil || len(trial) != len(whole) {
			t.Fatalf("%s: %d findings, and %d in a trial (%v)", rule.ID, len(whole), len(trial), err)
		}
		for i, f := range trial {
			w := whole[i]
			if f.Rule != w.Rule || f.Severity != w.Severity || f.Pos != w.Pos || f.Layer != w.Layer || f.Setting != w.Setting {
				t.Errorf("%s: a trial has %s %s at %s, a run %s %s at %s", rule.ID, f.Severity, f.Rule, f.Setting, w.Severity, w.Rule, w.Setting)
			}
			if f.Trace != nil || len(f.Fixes) > 0 {
				t.Errorf("%s: a trial shows %v and %v", rule.ID, f.Trace, f.Fixes)
			}
		}
	}
}

func TestARunThatHasNoTimeLeftGivesNoPart(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	s := stackOf(t, check.Find("error-room").Bad())
	stand, suppressed, err := check.RunAll(ended, s, "")
	if !errors.Is(err, context.Canceled) || stand != nil || suppressed != nil {
		t.Errorf("%d findings, %d suppressed, %v", len(stand), len(suppressed), err)
	}
	tried := 0
	err = check.Verify(ended, check.Run(s), func([]chain.Edit) ([]check.Finding, error) {
		tried++
		return nil, nil
	})
	if !errors.Is(err, context.Canceled) || tried != 0 {
		t.Errorf("%d fixes tried, %v", tried, err)
	}
}

func TestAFixThatIsNotTakenEitherIsNone(t *testing.T) {
	late := check.Finding{Rule: "error-room", Severity: check.Warning, Layer: "gw", Setting: "gw.timeout"}
	refused := func(why string) check.Finding {
		return check.Finding{Rule: "rejected", Severity: check.Error, Layer: "gw", Setting: "gw.timeout", Message: why}
	}
	for why, want := range map[string]int{"timeout 42000 is refused: at most 30000": 0, "timeout 40 is refused: at least 50": 1} {
		f := late
		f.Fixes = []check.Fix{{}}
		fs := []check.Finding{f, refused("timeout 40 is refused: at least 50")}
		if err := check.Verify(context.Background(), fs, func([]chain.Edit) ([]check.Finding, error) {
			return []check.Finding{refused(why)}, nil
		}); err != nil || len(fs[0].Fixes) != want {
			t.Errorf("%d fixes are left (%v) where then %q, want %d", len(fs[0].Fixes), err, why, want)
		}
	}
}
