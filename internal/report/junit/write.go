package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Write writes a report, indented, with a final line break.
func Write(w io.Writer, r *Report) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("writing JUnit XML: %w", err)
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(reportElement(r)); err != nil {
		return fmt.Errorf("writing JUnit XML: %w", err)
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return fmt.Errorf("writing JUnit XML: %w", err)
	}
	return nil
}

// The XML elements.
type (
	suites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr,omitempty"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Suites   []suite  `xml:"testsuite"`
	}
	suite struct {
		Name       string      `xml:"name,attr"`
		Tests      int         `xml:"tests,attr"`
		Failures   int         `xml:"failures,attr"`
		Errors     int         `xml:"errors,attr"`
		Skipped    int         `xml:"skipped,attr"`
		Properties *properties `xml:"properties"`
		Cases      []testcase  `xml:"testcase"`
		SystemOut  *output     `xml:"system-out"`
	}
	// properties is absent rather than empty.
	properties struct {
		Properties []property `xml:"property"`
	}
	property struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	testcase struct {
		Name      string    `xml:"name,attr"`
		Class     string    `xml:"classname,attr,omitempty"`
		Time      string    `xml:"time,attr,omitempty"`
		Failures  []message `xml:"failure"`
		Error     *message  `xml:"error"`
		Skipped   *message  `xml:"skipped"`
		SystemOut *output   `xml:"system-out"`
	}
	message struct {
		Summary string `xml:"message,attr,omitempty"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",innerxml"`
	}
	output struct {
		Text string `xml:",innerxml"`
	}
)

func reportElement(r *Report) *suites {
	all := &suites{Name: r.Name}
	for i := range r.Suites {
		n := r.Suites[i].counts()
		all.Tests, all.Failures, all.Errors = all.Tests+n.all, all.Failures+n.failed, all.Errors+n.broken
		all.Suites = append(all.Suites, suiteElement(&r.Suites[i], n))
	}
	return all
}

func suiteElement(s *Suite, n counts) suite {
	e := suite{
		Name: s.Name, Tests: n.all, Failures: n.failed, Errors: n.broken, Skipped: n.skipped,
		SystemOut: outputElement(s.SystemOut),
	}
	if len(s.Properties) > 0 {
		e.Properties = &properties{}
		for _, p := range s.Properties {
			e.Properties.Properties = append(e.Properties.Properties, property(p))
		}
	}
	for i := range s.Cases {
		e.Cases = append(e.Cases, caseElement(&s.Cases[i]))
	}
	return e
}

func caseElement(c *Case) testcase {
	e := testcase{Name: c.Name, Class: c.Class, Time: seconds(c.Duration),
		SystemOut: outputElement(c.SystemOut)}
	switch c.verdict() {
	case failed:
		for i := range c.Failures {
			e.Failures = append(e.Failures, *messageElement(&c.Failures[i]))
		}
	case broken:
		e.Error = messageElement(c.Error)
	case skipped:
		e.Skipped = messageElement(c.Skipped)
	case passed:
	}
	return e
}

func messageElement(m *Message) *message {
	return &message{Summary: m.Summary, Type: m.Type, Text: content(m.Text)}
}

func outputElement(text string) *output {
	if text == "" {
		return nil
	}
	return &output{content(text)}
}

// content escapes a text as little as XML requires. Package xml would also
// escape line breaks, which is hard to read.
func content(text string) string {
	var escaped strings.Builder
	// A Builder has no errors.
	_ = xml.EscapeText(&escaped, []byte(text))
	return strings.NewReplacer("&#xA;", "\n", "&#x9;", "\t", "&#34;", `"`, "&#39;",
		"'").Replace(escaped.String())
}

// seconds formats a duration without an exponent, which not all readers accept.
func seconds(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 3, 64)
}
