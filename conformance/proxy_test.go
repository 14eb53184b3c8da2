package conformance

import "testing"

func TestProxies(t *testing.T) { t.Parallel(); runBlocks(t, ProxyScenarios(), driveProxy) }

func TestAMissingProxyIsAnErrorThatSaysWhatToDo(t *testing.T) {
	proxies["noproxy"] = proxyProduct{path: t.TempDir() + "/noproxy"}
	defer delete(proxies, "noproxy")
	s := callRun("x", `{}`, works, callWhole(200, 0, 1))
	s.Key = "noproxy"
	if _, err := driveProxy(s); err == nil || err.Error() != "noproxy is missing: run make test" {
		t.Errorf("the error is %v", err)
	}
}
