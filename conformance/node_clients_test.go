package conformance

import "testing"

func TestNodeClients(t *testing.T) {
	t.Parallel()
	p, err := startNodeClients()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	runBlocks(t, NodeClientScenarios(), func(s BlockScenario) (Result, error) { return p.driveClient(s, nodeClientFailure) })
}

func TestMissingNodeClientsAreAnErrorThatSaysWhatToDo(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if _, err := startNodeClients(); err == nil || err.Error() != "the Node clients are missing: run make test" && err.Error() != "node 20 is missing: run make test" {
		t.Errorf("the error is %v", err)
	}
}
