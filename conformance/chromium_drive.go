package conformance

import "time"

// chromiumKey is a browser in the catalogue, and chromiumProduct the one that is run.
const (
	chromiumKey     = "browser"
	chromiumProduct = "chromium"
)

// drive runs one scenario in the page.
func (b *chromiumBrowser) drive(s BlockScenario) (Result, error) {
	env, err := newGoEnvironment(s)
	if err != nil {
		return Result{}, err
	}
	defer env.close()
	one, err := b.run(s, env.url)
	if err != nil {
		return Result{}, err
	}
	code := one.Code
	one.Version, one.Code = b.Version, ""
	r := one.result(s)
	r.Native["name"] = code
	switch code {
	case "":
	case "TimeoutError":
		r.Setting, r.Cut, r.Native["fails"] = "fetch.signal.timeout", r.Status != 0, FailsTimeout
		if one.Error == "timeout event" {
			r.Setting = "xhr.timeout"
		}
	case "TypeError":
		// A page is not told more than that the network failed.
		r.Setting, r.Cut, r.Native["fails"] = s.Predict.Setting, r.Status != 0, s.Fails
	default:
		r.Native["fails"] = code
	}
	time.Sleep(50 * time.Millisecond) // a cancelled request is seen a little later
	r.Seen = env.seen()
	r.Seen.Requests -= min(s.Before, r.Seen.Requests)
	r.Attempts = r.Seen.Requests
	return r, nil
}
