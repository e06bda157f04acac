package test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/expect"
	"example.com/gatehouse/internal/testutil/testtable"
)

// step is something that happens while suites run.
type step func(*progress, io.Writer)

// begins, sees, ticks and prints are the steps there are.
func begins(name string, cases int) step {
	return func(p *progress, _ io.Writer) { p.begin(&suite.Suite{Name: name}, cases) }
}

func sees(passed, failed int) step {
	return func(p *progress, _ io.Writer) {
		for range passed {
			p.see(&suite.Result{})
		}
		for range failed {
			p.see(&suite.Result{Failures: []expect.Failure{{}}})
		}
	}
}

func ticks(after time.Duration) step {
	return func(p *progress, _ io.Writer) { p.Tick(time.Time{}.Add(after)) }
}

func prints(text string) step {
	return func(p *progress, out io.Writer) { _ = p.Aside(out, []byte(text)) }
}

func ends() step { return func(p *progress, _ io.Writer) { p.end() } }

func TestProgress(t *testing.T) {
	t.Parallel()
	const wipe = "\r\x1b[K"
	type test struct {
		row
		terminal bool
		steps    []step
		want     string
	}
	testtable.Run(t, []test{
		{row{"quick", "the run is short"}, true, []step{begins("a", 3), ticks(999 * time.Millisecond), sees(3, 0), prints("ok\n"), ends()}, "ok\n"},
		{row{"slow", "the line has all counts"}, true, []step{begins("a", 1000), sees(118, 2), ticks(time.Second), ends()},
			wipe + "a: 120 of 1000 cases, 2 failed" + wipe},
		{row{"nothing to show", "no suite has begun"}, true, []step{ticks(time.Hour), ends()}, ""},
		{row{"rewritten", "each line takes the place of the one before"}, true, []step{begins("a", 1), ticks(time.Second), sees(1, 0), ticks(2 * time.Second), ends()},
			wipe + "a: 0 of 1 case" + wipe + "a: 1 of 1 case" + wipe},
		{row{"printed between", "the line is wiped before, and comes back with the next tick"}, true,
			[]step{begins("a", 2), ticks(time.Second), prints("--- FAIL\n"), prints("more\n"), ticks(2 * time.Second), ends()},
			wipe + "a: 0 of 2 cases" + wipe + "--- FAIL\nmore\n" + wipe + "a: 0 of 2 cases" + wipe},
		{row{"next suite", "it counts anew"}, true, []step{begins("a", 2), sees(0, 2), begins("b", 2), ticks(time.Second), ends()},
			wipe + "b: 0 of 2 cases" + wipe},
		{row{"over", "a late tick must not leave a line"}, true, []step{begins("a", 2), ends(), ticks(time.Minute)}, ""},
		{row{"long name", "what is wrapped could not be wiped"}, true, []step{begins(strings.Repeat("a", 100), 2), ticks(time.Second), ends()},
			wipe + strings.Repeat("a", 77) + "…" + wipe},
		{row{"hostile name", "it must not move the cursor"}, true, []step{begins("\x1b[2J", 2), ticks(time.Second), ends()},
			wipe + `\x1b[2J: 0 of 2 cases` + wipe},
		{row{"no terminal", "a line now and then is enough"}, false, []step{begins("a", 2), ticks(29 * time.Second), ticks(30 * time.Second), ticks(59 * time.Second), sees(1, 0), ticks(time.Minute), prints("ok\n"), ends()},
			"gatehouse: a: 0 of 2 cases\ngatehouse: a: 1 of 2 cases\nok\n"},
	}, func(t *testing.T, tc test) {
		var out strings.Builder
		p := newProgress(&out, time.Time{})
		p.Terminal = tc.terminal
		for _, s := range tc.steps {
			s(p, &out)
		}
		if diff := cmp.Diff(tc.want, out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

// TestWatch: the clock is looked at until it is no longer, and no more often
// than necessary.
func TestWatch(t *testing.T) {
	t.Parallel()
	seen := make(chan string)
	p := newProgress(writerFunc(func(text []byte) { seen <- string(text) }), time.Now().Add(-time.Minute))
	p.Terminal = true
	p.begin(&suite.Suite{Name: "a"}, 2)
	end := p.Watch()
	if got := <-seen; !strings.HasSuffix(got, "a: 0 of 2 cases") {
		t.Errorf("got %q", got)
	}
	ended := make(chan struct{})
	go func() {
		end()
		end() // twice does no harm
		close(ended)
	}()
	for {
		select {
		case <-seen: // one may have been on its way
		case <-ended:
			return
		}
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(text []byte) (int, error) {
	f(text)
	return len(text), nil
}
