package format

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
)

// junitFormat makes a suite of each stack and a test of each rule, so that a test
// has one name from run to run and a clean stack is not an empty suite.
type junitFormat struct {
	w   io.Writer
	opt Options
	out junitOutput
}

type junitOutput struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []junitSuite
}

type junitSuite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	File     string   `xml:"file,attr,omitempty"`
	Cases    []junitCase
}

type junitCase struct {
	XMLName xml.Name    `xml:"testcase"`
	Class   string      `xml:"classname,attr"`
	Name    string      `xml:"name,attr"`
	Failure *junitFault `xml:"failure"`
	Error   *junitFault `xml:"error"`
	Skipped *junitFault `xml:"skipped"`
	Out     *cdata      `xml:"system-out"`
}

type junitFault struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	cdata
}

func newJUnit(w io.Writer, opt Options) Formatter {
	return &junitFormat{w: w, opt: opt, out: junitOutput{Name: "tchain"}}
}

func (f *junitFormat) Stack(r Result) error {
	if r.gone() {
		return nil
	}
	suite := junitSuite{Name: r.Unit.Dir, File: f.opt.path(r.Unit.Dir)}
	byRule := map[string][]issue{}
	for _, i := range f.opt.issues(r) {
		byRule[i.rule] = append(byRule[i.rule], i)
	}
	if s := r.Unit.Stack; s != nil {
		suite.Name = s.Name
		for _, rule := range check.Rules {
			off := s.Policy.Severity[rule.ID] == check.Off.String()
			suite.Cases = append(suite.Cases, f.ruleCase(suite.Name, rule.ID, byRule[rule.ID], off))
		}
	}
	if r.Of != "" {
		suite.Name = r.Of
		for _, rule := range check.Rules {
			if issues := byRule[rule.ID]; len(issues) > 0 {
				suite.Cases = append(suite.Cases, f.ruleCase(suite.Name, rule.ID, issues, false))
			}
		}
	}
	suite.mistakes(byRule[unreadable])
	f.add(suite)
	return nil
}

func (f *junitFormat) Close(s compile.Summary) error {
	if issues := f.opt.mistakes(s.Errors, ""); len(issues) > 0 {
		suite := junitSuite{Name: "tchain"}
		suite.mistakes(issues)
		f.add(suite)
	}
	return writeXML(f.w, f.out)
}

func (f *junitFormat) add(s junitSuite) {
	for _, c := range s.Cases {
		s.Tests++
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	f.out.Tests += s.Tests
	f.out.Failures += s.Failures
	f.out.Errors += s.Errors
	f.out.Suites = append(f.out.Suites, s)
}

// ruleCase is a rule on a stack. It fails by what fails the run; what does not
// is only told.
func (f *junitFormat) ruleCase(stack, rule string, issues []issue, off bool) junitCase {
	c := junitCase{Class: stack, Name: rule}
	fails := 0
	var message, text, told string
	for i := range issues {
		x := &issues[i]
		if !f.opt.fails(x.severity) {
			told += x.text()
			continue
		}
		if fails++; fails == 1 {
			message = x.message
		}
		text += x.text()
	}
	if fails > 1 {
		message += fmt.Sprintf(" (and %d more)", fails-1)
	}
	if fails > 0 {
		c.Failure = &junitFault{rule, message, newCDATA(text)}
	} else if off {
		c.Skipped = &junitFault{Message: "off by policy"}
	}
	if told != "" {
		out := newCDATA(told)
		c.Out = &out
	}
	return c
}

// mistakes adds a test that could not be made because of the input.
func (s *junitSuite) mistakes(issues []issue) {
	if len(issues) == 0 {
		return
	}
	message := issues[0].message
	if n := len(issues); n > 1 {
		message += fmt.Sprintf(" (and %d more)", n-1)
	}
	var text strings.Builder
	for i := range issues {
		text.WriteString(issues[i].text())
	}
	s.Cases = append(s.Cases, junitCase{Class: s.Name, Name: unreadable, Error: &junitFault{unreadable, message, newCDATA(text.String())}})
}
