package suitefile_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite/suitefile"
)

// FuzzRead checks what holds for any input: nothing panics, each line of an
// error says where, in the order of the file, and each case of a suite that can
// be read has a request.
func FuzzRead(f *testing.F) {
	for _, tc := range readCases() {
		f.Add(tc.input)
	}
	for _, tc := range looseCases() {
		f.Add(tc.input)
	}
	for _, tc := range refusals() {
		f.Add(tc.input)
	}
	f.Add(anchored)
	f.Add(written)
	f.Fuzz(func(t *testing.T, input string) {
		for d, err := range manifest.Documents(here, strings.NewReader(input)) {
			// Devices may never end.
			if err != nil || strings.Contains(input, "/dev") {
				continue
			}
			s, err := suitefile.Read(d)
			if (s == nil) == (err == nil) {
				t.Fatalf("got suite %v and error %v", s, err)
			}
			if err != nil {
				checkErrorText(t, err)
				continue
			}
			for i := range s.Cases {
				if c := &s.Cases[i]; c.Request == nil || c.At("request").File != here {
					t.Errorf("case %d has request %v at %v", i, c.Request, c.At("request"))
				}
			}
		}
	})
}

// place is how an error begins.
var place = regexp.MustCompile(`^testdata/suite\.yaml: document \d+ \(line (\d+)\): `)

func checkErrorText(t *testing.T, err error) {
	t.Helper()
	before := 0
	for line := range strings.SplitSeq(err.Error(), "\n") {
		found := place.FindStringSubmatch(line)
		if found == nil {
			t.Errorf("bad error text %q", line)
			continue
		}
		number, err := strconv.Atoi(found[1])
		if err != nil || number < before {
			t.Errorf("line %s comes after line %d: %v", found[1], before, err)
		}
		before = number
	}
}
