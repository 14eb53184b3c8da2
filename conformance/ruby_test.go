package conformance

import "testing"

func TestRuby(t *testing.T) {
	t.Parallel()
	p, err := startRuby()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	runBlocks(t, RubyScenarios(), func(s BlockScenario) (Result, error) { return p.driveClient(s, rubyFailure) })
}

func TestPuma(t *testing.T) {
	t.Parallel()
	runBlocks(t, PumaScenarios(), drivePuma)
}
