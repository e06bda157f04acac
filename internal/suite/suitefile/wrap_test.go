package suitefile_test

import (
	"errors"
	"sync"
	"testing"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestWrap is about mistakes that are found later.
func TestWrap(t *testing.T) {
	t.Parallel()
	s, err := suitefile.Read(only(t, expecting("message: a\n")))
	if err != nil {
		t.Fatal(err)
	}
	made := &suitefile.Case{Name: "in Go"}
	type test struct {
		row
		wrap        func(string, error) error
		field, want string
	}
	testtable.Run(t, []test{
		{row{"suite", "the line is that of the field"}, s.Wrap, "configurations[0]", here + ": document 1 (line 3): configurations[0]: no"},
		{row{"case", "the field is that of the case"}, s.Cases[0].Wrap, "expect.message", here + ": document 1 (line 8): cases[0].expect.message: no"},
		{row{"suite of a program", "it stands nowhere"}, (&suitefile.Suite{}).Wrap, "configurations[0]", "configurations[0]: no"},
		{row{"case of a program", "its name has to do"}, made.Wrap, "expect.message", "in Go: expect.message: no"},
	}, func(t *testing.T, tc test) {
		cause := errors.New("no")
		wrapped := tc.wrap(tc.field, cause)
		if testtable.Text(wrapped) != tc.want || !errors.Is(wrapped, cause) {
			t.Errorf("\n got %v\nwant %s, around the cause", wrapped, tc.want)
		}
		if err := tc.wrap(tc.field, nil); err != nil {
			t.Errorf("wrapping no error gave %v", err)
		}
	})
	if at := made.At(""); at != (manifest.Position{}) {
		t.Errorf("a case of a program stands at %v", at)
	}
}

// TestAtFromMany asks for lines from several goroutines; the race detector
// looks on.
func TestAtFromMany(t *testing.T) {
	t.Parallel()
	s, err := suitefile.Read(only(t, `{"apiVersion":"gatehouse/v1alpha1","kind":"AdmissionTest","configurations":["webhooks.yaml"],`+"\n"+
		`"cases":[`+"\n"+`{"name":"a","request":"pod.yaml","expect":{}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			if at := s.Cases[0].At("request"); at.Line != 3 {
				t.Errorf("the request stands at %v", at)
			}
		})
	}
	asking.Wait()
}
