package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A renaming is a setting, or an object with settings, that the driver calls by
// another name than the catalogue.
type renaming struct{ driver, catalogue string }

// renamings are the driver's names by product; what is not listed is the same.
var renamings = map[string][]renaming{
	"webclient": {
		{"connectionProvider", "provider"}, {"httpClient.secure", "secure"}, {"httpClient.proxy", "proxy"}, {"httpClient.resolver", "resolver"},
		{"httpClient.connectTimeoutMillis", "option.CONNECT_TIMEOUT_MILLIS"}, {"httpClient.responseTimeout", "responseTimeout"},
		{"httpClient.disableRetry", "disableRetry"}, {"operators", "operators"},
	},
	"socket":        {{"connectTimeout", "connect.timeout"}, {"soTimeout", "soTimeout"}},
	"jdkhttp":       {{"client.connectTimeout", "builder.connectTimeout"}, {"request", "request"}},
	"jdkfactory":    {{"factory", "factory"}},
	"urlconnection": {{"connectTimeout", "connectTimeout"}, {"readTimeout", "readTimeout"}},
	"simplefactory": {{"factory", "factory"}},
}

// blockOf is the scenario's settings as the catalogue's block of the client.
func (s JVMScenario) blockOf() (string, error) {
	if s.Settings == "" {
		return "{}", nil
	}
	names := renamings[s.Product]
	if names == nil {
		return s.Settings, nil
	}
	var in map[string]any
	if err := json.Unmarshal([]byte(s.Settings), &in); err != nil {
		return "", err
	}
	out := map[string]any{}
	for _, n := range names {
		if v, ok := pathOf(in, n.driver); ok {
			setPath(out, n.catalogue, v)
		}
	}
	if _, dials := out["connect"]; s.Product == "socket" && !dials {
		out["constructorConnects"] = true
	}
	if ops, ok := out["operators"].([]any); ok {
		for i := range ops {
			if r, ok := ops[i].(map[string]any)["retryWhen"].(map[string]any); ok {
				ops[i] = map[string]any{"retryWhen": retryWhenOf(r)}
			}
		}
	}
	text, err := json.Marshal(out)
	return string(text), err
}

// retryWhenOf is Reactor's retry in the catalogue's words.
func retryWhenOf(r map[string]any) map[string]any {
	out := map[string]any{}
	if wait, ok := r["fixedDelay"]; ok {
		out["fixedDelay"] = map[string]any{"attempts": r["maxAttempts"], "delay": wait}
	} else {
		out["backoff"] = map[string]any{"attempts": r["maxAttempts"], "minBackoff": r["minBackoff"], "jitter": 0}
	}
	if statuses, ok := r["statuses"].([]any); ok {
		var words []string
		for _, x := range statuses {
			words = append(words, fmt.Sprint(x))
		}
		out["filter"] = words
	}
	if r["exhaustedException"] != true {
		out["onRetryExhaustedThrow"] = "failure"
	}
	return out
}

// driverName is a setting of the catalogue in the driver's words.
func (s JVMScenario) driverName(setting string) string {
	if renamings[s.Product] == nil {
		return setting
	}
	for _, n := range renamings[s.Product] {
		if rest, ok := strings.CutPrefix(setting, n.catalogue); ok {
			return n.driver + rest
		}
	}
	return setting
}

func pathOf(m map[string]any, path string) (any, bool) {
	head, rest, deeper := strings.Cut(path, ".")
	v, ok := m[head]
	if !ok || !deeper {
		return v, ok
	}
	inner, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	return pathOf(inner, rest)
}

func setPath(m map[string]any, path string, v any) {
	head, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		m[head] = v
		return
	}
	inner, ok := m[head].(map[string]any)
	if !ok {
		inner = map[string]any{}
		m[head] = inner
	}
	setPath(inner, rest, v)
}
