package reportpage

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A browser is one headless Chromium that is spoken to over a pipe, by the
// protocol of its developer tools. Unlike a page that drives itself, as those of
// the runs of fetch do, this can press keys, ask for the other colour scheme, and
// see what the page asks of the network.
type browser struct {
	in      io.Writer
	answers chan message
	next    int
	session string
	events  []message // all that came unasked since the page was opened
}

type message struct {
	ID        int             `json:"id,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// patience is for a machine that is busy with other things; nothing is measured by it.
const patience = time.Minute

// chromium is the one that all tests use, each with pages of its own.
var chromium *browser

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return 1, errors.New("chromium is missing: run make test")
	}
	dir, err := os.MkdirTemp("", "tchain-reportpage-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	toIn, toOut, err := os.Pipe()
	if err != nil {
		return 1, err
	}
	fromIn, fromOut, err := os.Pipe()
	if err != nil {
		return 1, err
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+dir,
		"--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{toIn, fromOut} // its descriptors 3 and 4
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	toIn.Close()
	fromOut.Close()
	chromium = &browser{in: toOut, answers: make(chan message)}
	go chromium.read(fromIn)
	code := m.Run()
	chromium.session = ""
	if chromium.try("Browser.close", nil) != nil {
		cmd.Process.Kill()
	}
	cmd.Wait() // its exit says nothing about the page
	return code, nil
}

// read splits what comes at the zero bytes between messages.
func (b *browser) read(r io.Reader) {
	defer close(b.answers)
	in := bufio.NewReader(r)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(bytes.TrimRight(text, "\x00"), &m) == nil {
			b.answers <- m
		}
	}
}

// call asks for one thing and waits for the answer. out may be nil.
func (b *browser) call(t *testing.T, method string, params any, out ...any) {
	t.Helper()
	if err := b.try(method, params, out...); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
}

func (b *browser) try(method string, params any, out ...any) error {
	b.next++
	if params == nil {
		params = struct{}{}
	}
	text, err := json.Marshal(map[string]any{"id": b.next, "method": method, "params": params, "sessionId": b.session})
	if b.session == "" {
		text, err = json.Marshal(map[string]any{"id": b.next, "method": method, "params": params})
	}
	if err != nil {
		return err
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		return err
	}
	late := time.After(patience)
	for {
		select {
		case m, ok := <-b.answers:
			switch {
			case !ok:
				return errors.New("chromium has ended")
			case m.ID == 0:
				b.events = append(b.events, m)
				continue
			case m.ID != b.next:
				continue
			case m.Error != nil:
				return errors.New(m.Error.Message)
			case len(out) > 0:
				return json.Unmarshal(m.Result, out[0])
			}
			return nil
		case <-late:
			return errors.New("no answer")
		}
	}
}

// open shows a file in a page of its own and waits until it is loaded.
func (b *browser) open(t *testing.T, file string) {
	t.Helper()
	var target struct{ TargetID, SessionID string }
	b.session = ""
	t.Cleanup(func() {
		b.session = ""
		b.call(t, "Target.closeTarget", map[string]any{"targetId": target.TargetID})
	})
	b.call(t, "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	b.call(t, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target)
	b.session, b.events = target.SessionID, nil
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(t, domain+".enable", nil)
	}
	b.call(t, "Page.navigate", map[string]any{"url": "file://" + file})
	b.eval(t, `new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))`, nil)
}

// eval runs a script in the page, awaits it, and reads its value.
func (b *browser) eval(t *testing.T, script string, out any) {
	t.Helper()
	var got struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails *struct {
			Exception struct{ Description string } `json:"exception"`
		} `json:"exceptionDetails"`
	}
	b.call(t, "Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		t.Fatalf("%s: %s", script, got.ExceptionDetails.Exception.Description)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(got.Result.Value, out); err != nil {
		t.Fatalf("%s: %v in %s", script, err, got.Result.Value)
	}
}

// text is the visible words of the first element that a selector finds.
func (b *browser) text(t *testing.T, selector string) (out string) {
	t.Helper()
	b.eval(t, fmt.Sprintf("document.querySelector(%q).innerText", selector), &out)
	return out
}

// keys are the codes of the keys that are pressed.
var keys = map[string]int{"Tab": 9, "Enter": 13, "Home": 36, "End": 35, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

// press presses keys as a person does, one after the other.
func (b *browser) press(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		key := map[string]any{"type": "rawKeyDown", "key": name, "code": name, "windowsVirtualKeyCode": keys[name]}
		if name == "Enter" {
			key["type"], key["text"] = "keyDown", "\r"
		}
		b.call(t, "Input.dispatchKeyEvent", key)
		key["type"] = "keyUp"
		b.call(t, "Input.dispatchKeyEvent", key)
	}
}

// media asks for features as prefers-color-scheme: dark.
func (b *browser) media(t *testing.T, features map[string]string) {
	t.Helper()
	list := []map[string]string{}
	for name, value := range features {
		list = append(list, map[string]string{"name": name, "value": value})
	}
	b.call(t, "Emulation.setEmulatedMedia", map[string]any{"features": list})
}

// size gives the window a size.
func (b *browser) size(t *testing.T, width, height int) {
	t.Helper()
	b.call(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false})
}
