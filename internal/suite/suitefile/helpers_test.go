package suitefile_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/manifesttest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// here is the file that suites are said to be in. Nothing is read there, but
// the files beside it are.
const here = "testdata/suite.yaml"

// head begins a suite; what follows stands on line 3.
const head = "apiVersion: gatehouse/v1alpha1\nkind: AdmissionTest\n"

// cluster and cases are the least that a suite has besides, in one line each.
const (
	cluster = "configurations: [webhooks.yaml]\n"
	cases   = "cases: [{name: a, request: pod.yaml, expect: {}}]\n"
)

// whole is a suite with some more fields, which begin on line 5.
func whole(fields string) string { return head + cluster + cases + fields }

// one is a suite of one case, which stands on line 5 and whose fields begin on
// line 6.
func one(fields string) string {
	return head + cluster + "cases:\n- name: a\n" + indented(fields)
}

// expecting is a suite of one case, of which something is expected from line 8
// on.
func expecting(fields string) string {
	return one("request: pod.yaml\nexpect:\n" + indented(fields))
}

func indented(lines string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n  ") + "\n"
}

// only returns the one document of a text.
func only(t testing.TB, input string) *manifest.Document {
	t.Helper()
	return manifesttest.Only(t, here, input)
}

// describe writes down what a suite says, one line for each field that says
// something.
func describe(s *suitefile.Suite) []string {
	var lines []string
	say := func(field string, value any) {
		if text := fmt.Sprint(value); text != "" && text != "false" && text != "[]" && text != "null" {
			lines = append(lines, field+": "+text)
		}
	}
	say("name", s.Name)
	say("file", s.File)
	say("configs", s.Configs)
	for _, d := range s.Inline {
		say("inline", text(d))
	}
	say("authorizer", s.Authorizer)
	for i := range s.Webhooks {
		say("webhook", plain(s.Webhooks[i]))
	}
	say("recursive", s.Recursive)
	say("serial", s.Serial)
	say("namespace", s.Namespace)
	say("user", plain(s.User))
	say("dryRun", s.DryRun)
	for i := range s.Cases {
		c := &s.Cases[i]
		say("case", fmt.Sprintf("%s (line %d): %s expects %s", c.Name, c.At("").Line, text(c.Request), plain(c.Expect)))
	}
	return lines
}

// text describes a document: where it stands, and what it is.
func text(d *manifest.Document) string {
	return fmt.Sprintf("%s:%d %s %s %s", d.File, d.Line, d.Item, d.Kind.Kind, manifesttest.Compact(d.JSON))
}

func plain(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}
