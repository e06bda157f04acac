//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestReady waits for the signs that commands give.
func TestReady(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		role  string
		ready suitefile.Readiness
		want  string // what has been printed when it is ready
	}
	testtable.Run(t, []test{
		{row{"port", "without another sign a command is ready when it accepts connections"},
			"server", suitefile.Readiness{}, `serving on port \d+\n$`},
		{row{"path", "what is not a success yet is asked again, until it is"},
			"server", suitefile.Readiness{Path: "/ready"}, `asked 1\nasked 2\nasked 3\n$`},
		{row{"path without a slash", "people forget it"},
			"server", suitefile.Readiness{Path: "ready"}, `asked 3\n$`},
		{row{"path of a redirection", "statuses up to 399 count, and where they lead is not asked"},
			"server", suitefile.Readiness{Path: "/elsewhere"}, `serving on port \d+\n$`},
		{row{"line", "a line is enough, even without a listener"},
			"dreamer", suitefile.Readiness{Log: `^certificate in .*\d$`}, `^certificate in .*\n$`},
	}, func(t *testing.T, tc test) {
		e := as(tc.role)
		e.Readiness = tc.ready
		p := start(t, Config{Exec: e})
		// It may be reached before what it printed is.
		_ = p.Stop()
		printed := strings.TrimSuffix(p.Printed(), "stopped gently\n")
		if !regexp.MustCompile(tc.want).MatchString(printed) {
			t.Errorf("it printed %q, want %s", printed, tc.want)
		}
	})
}

// TestNotReady starts commands that are of no use.
func TestNotReady(t *testing.T) {
	t.Parallel()
	const patience = 5 // seconds, in which a program starts on a busy machine
	type test struct {
		row
		exec    *suitefile.Exec
		want    string // regular expression of the error, after the command
		printed string // regular expression
	}
	testtable.Run(t, []test{
		{row{"ends at once", "it is not waited for, and what it printed is the best hint"},
			as("failure"),
			`^it ended before it was ready: exit status 3; it printed last: `, `(?s)reading the configuration\n.*|it is \x1b\[31mwrong\x1b\[0m\n`},
		{row{"ends well", "status 0 is no readiness"},
			with(as("environment"), func(e *suitefile.Exec) { e.Readiness.Log = "never" }),
			`^it ended before it was ready: exit status 0; it printed last: `, ``},
		{row{"prints bytes", "errors are one line for terminals, Printed is what it was"},
			as("bytes"),
			`exit status 1; it printed last: � no newline$`, `^\x00\x{fffd}\x{fffd}\n\n\x{fffd} no newline\n$`},
		{row{"never listens", "the last attempt says why it is not ready"},
			with(as("dreamer"), func(e *suitefile.Exec) { e.StartSeconds = patience }),
			`^it was not ready after 5s: dial tcp 127.0.0.1:\d+: .*; it printed last: certificate in `, `^certificate in .*\n$`},
		{row{"never prints the line", "a server may listen and not be ready"},
			with(as("server"), func(e *suitefile.Exec) { e.StartSeconds, e.Readiness.Log = patience, "never" }),
			`^it was not ready after 5s: no line of its output matches readiness.log; `, `serving on port`},
		{row{"never answers well", "the status says more than the time"},
			with(as("server"), func(e *suitefile.Exec) { e.StartSeconds, e.Readiness.Path = patience, "/unready" }),
			`^it was not ready after 5s: GET https://127.0.0.1:\d+/unready: 503 Service Unavailable; `, ``},
		{row{"never answers", "one attempt may take all the time, and no more"},
			with(as("server"), func(e *suitefile.Exec) { e.StartSeconds, e.Readiness.Path = patience, "/hang" }),
			`^it was not ready after 5s: Get `, ``},
		{row{"another certificate", "the webhooks could not be called either"},
			with(as("server of a foreigner"), func(e *suitefile.Exec) { e.StartSeconds, e.Readiness.Path = patience, "/" }),
			`^it was not ready after 5s: .*certificate signed by unknown authority`, ``},
		{row{"no such program", "the system's error is well known"},
			&suitefile.Exec{Command: []string{"./no\nprogram"}},
			`no\\nprogram: no such file or directory$`, `^$`},
		{row{"no such folder", "it is not the program that is missing"},
			with(as("server"), func(e *suitefile.Exec) { e.WorkingDir = "missing" }),
			`^workingDir: stat .*missing: no such file or directory$`, `^$`},
		{row{"no command", "there is nothing to run"},
			&suitefile.Exec{}, `^there is no command$`, `^$`},
		{row{"wrong expression", "it is found before anything runs"},
			&suitefile.Exec{Command: []string{"true"}, Readiness: suitefile.Readiness{Log: "("}},
			`^readiness.log: error parsing regexp: `, `^$`},
		{row{"wrong path", "it is found before anything runs"},
			&suitefile.Exec{Command: []string{"true"}, Readiness: suitefile.Readiness{Path: "/%"}},
			`^readiness.path: parse .*: invalid URL escape`, `^$`},
	}, func(t *testing.T, tc test) {
		_, err := Start(t.Context(), Config{Exec: tc.exec})
		wantError(t, err, tc.want, tc.printed)
	})
}

// wantError wants an Error of Start.
func wantError(t *testing.T, err error, want, printed string) {
	t.Helper()
	failed, ok := err.(*Error)
	if !ok {
		t.Fatalf("got error %v", err)
	}
	text := regexp.MustCompile(`^starting "[^"]*": `).ReplaceAllString(failed.Error(), "")
	if text == failed.Error() || !regexp.MustCompile(want).MatchString(text) {
		t.Errorf("got error %q, want %s", failed, want)
	}
	if !regexp.MustCompile(printed).MatchString(failed.Printed) {
		t.Errorf("it printed %q, want %s", failed.Printed, printed)
	}
	if found := regexp.MustCompile(`certificate in (.*)`).FindStringSubmatch(failed.Printed); found != nil {
		wantNoFolder(t, found[1])
	}
}

// TestAttempts cuts an attempt short: what the one before it said is the better
// reason.
func TestAttempts(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		// last is the error of the second attempt.
		last     error
		deadline time.Time
	}
	testtable.Run(t, []test{
		{row{"canceled", "the context ends during the attempt"}, context.Canceled, time.Now().Add(time.Hour)},
		{row{"deadline", "a dial may see the deadline before the context ends"}, os.ErrDeadlineExceeded, time.Time{}},
	}, func(t *testing.T, tc test) {
		refused := errors.New("connection refused")
		ctx := &endingContext{Context: t.Context(), deadline: tc.deadline, done: make(chan struct{})}
		said := []error{refused, tc.last}
		err := retry(func(context.Context) error {
			next := said[0]
			said = said[1:]
			if len(said) == 0 {
				ctx.end(tc.last)
			}
			return next
		})(ctx)
		if diff := cmp.Diff(refused.Error(), testtable.Text(err)); diff != "" {
			t.Errorf("error (-want +got):\n%s", diff)
		}
	})
}

// endingContext ends with an error, unless its deadline has passed: then Err is nil.
type endingContext struct {
	context.Context
	deadline time.Time
	done     chan struct{}
	err      error
}

func (c *endingContext) Deadline() (time.Time, bool) { return c.deadline, true }
func (c *endingContext) Done() <-chan struct{}       { return c.done }
func (c *endingContext) Err() error                  { return c.err }

func (c *endingContext) end(err error) {
	if c.deadline.After(time.Now()) {
		c.err = err
	}
	close(c.done)
}
