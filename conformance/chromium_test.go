package conformance

import "testing"

func TestChromium(t *testing.T) {
	b, err := startChromium()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.close)
	runBlocks(t, ChromiumScenarios(), b.drive)
}

func TestAMissingBrowserIsAnErrorThatSaysWhatToDo(t *testing.T) {
	defer func(path string) { chromiumPath = path }(chromiumPath)
	chromiumPath = t.TempDir() + "/chromium"
	if b, err := startChromium(); err == nil || err.Error() != "chromium is missing: run make test" {
		if b != nil {
			b.close()
		}
		t.Errorf("the error is %v", err)
	}
}
