package compile

import "testing"

func TestASettingIsWrittenAsCUEWritesIt(t *testing.T) {
	s := resolveText(t, `package s
tchain: "v1"
name: "s"
layers: {
	"1": app: {clients: "2": {to: ["7"], webclient: operators: [{retryWhen: fixedDelay: {attempts: 1, delay: "1s"}}, {timeout: "2s"}]}, calls: [{"7": {}}]}
	"7": external: {}
}
routes: "/": path: ["1", "7"]
`)
	layers := call(t, s, "1", "7").Layers
	for _, at := range []struct{ got, want string }{
		{layers[0].Limits[0].Origin.Setting, `"1".app.clients."2".webclient.operators[1].timeout`},
		{layers[1].Retry.Attempts.Origin.Setting, `"1".app.clients."2".webclient.operators[0].retryWhen.fixedDelay.attempts`},
	} {
		if at.got != at.want {
			t.Errorf("%s, want %s", at.got, at.want)
		}
	}
}
