package conformance

import "testing"

func TestPython(t *testing.T) {
	t.Parallel()
	p, err := startPython()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	runBlocks(t, PythonScenarios(), func(s BlockScenario) (Result, error) { return p.driveClient(s, pythonFailure) })
}

func TestPythonServers(t *testing.T) {
	t.Parallel()
	runBlocks(t, PythonServerScenarios(), drivePythonServer)
}

func TestMissingPythonPackagesAreAnErrorThatSaysWhatToDo(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if _, err := startPython(); err == nil || err.Error() != "the Python packages are missing: run make test" {
		t.Errorf("the error is %v", err)
	}
}
