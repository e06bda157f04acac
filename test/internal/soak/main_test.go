package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestRun looks at what the command prints and how it ends.
func TestRun(t *testing.T) {
	modes["test"] = func(_ context.Context, d time.Duration, _ uint64) (result, error) {
		switch d {
		case time.Second:
			return fixed{"stale"}, nil
		case time.Minute:
			return nil, errors.New("no port")
		default:
			return fixed{}, nil
		}
	}
	t.Cleanup(func() { delete(modes, "test") })
	type row struct {
		testtable.Row
		arguments  string
		code       int
		out, error string
	}
	// One after the other, because they share the table of modes.
	for _, r := range testtable.Checked(t, []row{
		{testtable.Row{"kept", "figures are printed"}, "-mode=test", kept, "figures\n", ""},
		{testtable.Row{"broken", "what was not as promised is printed"}, "-mode=test -duration=1s", broken, "figures\nviolation: stale\n", ""},
		{testtable.Row{"no run", "that is no verdict"}, "-mode=test -duration=1m", unknown, "", "soak: no port\n"},
		{testtable.Row{"unknown mode", "the error lists the modes"}, "-mode=tset", unknown, "", "soak: -mode is \"tset\" and must be one of bombs, churn, policies, punctual, test, wide\n"},
		{testtable.Row{"argument", "a forgotten dash must not go unnoticed"}, "duration=1s", unknown, "", "soak: unexpected argument \"duration=1s\"\n"},
		{testtable.Row{"negative", "it would be over at once"}, "-duration=-1s", unknown, "", "soak: -duration is -1s and must not be negative\n"},
	}) {
		t.Run(r.Name(), func(t *testing.T) {
			var out, failure strings.Builder
			code := run(t.Context(), strings.Fields(r.arguments), &out, &failure)
			if code != r.code || out.String() != r.out || failure.String() != r.error {
				t.Errorf("code %d, output %q, error %q\nwant %d, %q, %q", code, &out, &failure, r.code, r.out, r.error)
			}
		})
	}
}

type fixed []string

func (fixed) Print(w io.Writer)      { _, _ = io.WriteString(w, "figures\n") }
func (f fixed) Violations() []string { return f }
