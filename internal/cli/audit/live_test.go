package audit

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// followed is a command that follows a log.
type followed struct {
	t              *testing.T
	in             io.WriteCloser
	stdout, stderr bytes.Buffer
	interrupt      func()
	ended          chan error
}

// follow starts the command in the bubble of a test.
func follow(t *testing.T, args ...string) *followed {
	in, out := io.Pipe()
	ctx, interrupt := context.WithCancel(t.Context())
	f := &followed{t: t, in: out, interrupt: interrupt, ended: make(chan error, 1)}
	cmd := New()
	cmd.SetArgs(append([]string{"-"}, args...))
	cmd.SetIn(in)
	cmd.SetOut(&f.stdout)
	cmd.SetErr(&f.stderr)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	go func() {
		f.ended <- cmd.ExecuteContext(ctx)
		_ = in.Close()
	}()
	return f
}

// write writes lines, and returns what is new on standard error after a time.
func (f *followed) write(after time.Duration, lines ...string) string {
	f.t.Helper()
	f.stderr.Reset()
	for _, line := range lines {
		if _, err := io.WriteString(f.in, line+"\n"); err != nil {
			f.t.Fatal(err)
		}
	}
	time.Sleep(after)
	synctest.Wait()
	return f.stderr.String()
}

type endRow struct {
	row
	end func(*followed)
}

// TestLive: what is new is said once, soon after it is in the log, and the report comes at the
// end.
func TestLive(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []endRow{
		{row{"end of input", "the program that follows the log ended"}, func(f *followed) { _ = f.in.Close() }},
		{row{"^C", "the user has seen enough"}, func(f *followed) { f.interrupt() }},
	}, func(t *testing.T, tc endRow) {
		synctest.Test(t, func(t *testing.T) {
			const labels = `[{"op":"add","path":"/metadata/labels/team","value":"a"}]`
			const body, opens = `{"metadata":{"name":"web","labels":{}}}`, "failed-open.validating.webhook.admission.k8s.io/round_0_index_0"
			var log audittest.Log
			for range 4 {
				log.Add("update", "operator", body, audittest.Called(0, "hook", labels))
			}
			log.Add("update", "operator", body, audittest.Annotated(opens, "guard\x1b[2J"))
			log.Add("update", "operator", body, audittest.Annotated(opens, "guard\x1b[2J"), audittest.Called(0, "hook", labels))
			lines := log.Lines()
			f := follow(t)
			if got := f.write(time.Millisecond, lines[:4]...); got != "" {
				t.Errorf("an earlier event may still come, but: %s", got)
			}
			const loop = "gatehouse: 2026-11-26T10:00:15Z: LOOP: webhook hook/hook repeats its change, which is undone by operator (manager), in deployments.apps shop/web: audit ID id-4\n"
			if got := f.write(patience); got != loop {
				t.Errorf("got %q", got)
			}
			const open = "gatehouse: 2026-11-26T10:00:20Z: webhook guard\\x1b[2J failed open: audit ID id-5\n"
			if got := f.write(patience, lines[4]); got != open {
				t.Errorf("got %q", got)
			}
			if got := f.write(patience, lines[5]); got != "" {
				t.Errorf("said again: %q", got)
			}
			if f.stdout.Len() > 0 {
				t.Errorf("the report comes early: %s", &f.stdout)
			}
			tc.end(f)
			<-f.ended
			if got := f.stdout.String(); !strings.Contains(got, "LOOP: webhook hook/hook") {
				t.Errorf("got %s", got)
			}
			_ = f.in.Close()
		})
	})
}

// TestLiveTrickle: a log that is never quiet does not delay what is new.
func TestLiveTrickle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := audittest.Log{Step: time.Second}
		log.Add("update", "ann", `{}`, audittest.Annotated("failed-open.validating.webhook.admission.k8s.io/round_0_index_0", "guard"))
		for range 4 {
			log.Add("update", "ann", `{}`)
		}
		f := follow(t)
		said := ""
		for _, line := range log.Lines() {
			said += f.write(time.Second, line)
		}
		_ = f.in.Close()
		<-f.ended
		if strings.Count(said, "webhook guard failed") != 1 {
			t.Errorf("got %q", said)
		}
	})
}
