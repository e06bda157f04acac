package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testtable"
)

// TestServe does what a newcomer does: it starts the webhooks, runs the command
// that is printed, and stops the webhooks.
func TestServe(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ca := filepath.Join(t.TempDir(), "the ca.crt")
	printed, out := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		status := execute(ctx, []string{"demo", "--serve", "--ca-file", ca}, nil, out, &stderr)
		ended <- status
		_ = out.Close()
	}()
	args := readCommand(t, printed)

	var table, notices bytes.Buffer
	if status := execute(ctx, args, nil, &table, &notices); status != exitDenied {
		t.Errorf("run ended with status %d, want %d", status, exitDenied)
	}
	for _, want := range []string{"admitted  pods/web in shop\n", "denied    pods/stranger in tools\n"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &table)
		}
	}
	if notices.Len() > 0 {
		t.Errorf("run has something to say: %s", &notices)
	}

	stop()
	if status := <-ended; status != 0 || stderr.Len() > 0 {
		t.Errorf("the demo ended with status %d and %q, want 0 and nothing", status, &stderr)
	}
	if _, err := os.Stat(filepath.Dir(args[2])); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary folder is still there: %v", err)
	}
	if _, err := os.Stat(ca); err != nil {
		t.Errorf("the CA that was asked for is gone: %v", err)
	}
}

// readCommand returns the arguments of the command line in the output, which
// ends with the first line that is not continued.
func readCommand(t *testing.T, out io.Reader) []string {
	t.Helper()
	var args []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line, continued := strings.CutSuffix(strings.TrimSpace(lines.Text()), ` \`)
		if command, ok := strings.CutPrefix(line, "gatehouse "); ok {
			args = strings.Fields(command)
			continue
		}
		if args == nil {
			continue
		}
		flag, value, _ := strings.Cut(line, " ")
		args = append(args, flag, strings.Trim(value, "'"))
		if !continued {
			return args
		}
	}
	t.Fatalf("the output ended after %q", args)
	return nil
}

func TestQuoted(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/tmp/a-1/b_c.yaml": "/tmp/a-1/b_c.yaml",
		"/tmp/my files/a":   "'/tmp/my files/a'",
		"it's":              `'it'\''s'`,
		"a$b":               "'a$b'",
	} {
		if got := quoted(path); got != want {
			t.Errorf("quoted(%q) is %s, want %s", path, got, want)
		}
	}
}

// visited returns a visit to pods/a in default that went through the calls.
func visited(denied string, warnings []string, calls ...admission.Call) *visit {
	for i := range calls {
		calls[i].Webhook = &admission.Webhook{Name: "hook", Phase: admission.Mutating}
	}
	response := &admission.Response{Allowed: denied == "", Warnings: warnings, Calls: calls}
	if denied != "" {
		response.Status = &metav1.Status{Message: denied}
	}
	resource := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	return &visit{request: &admission.Request{Resource: resource, Namespace: "default", Name: "a"}, response: response}
}

func TestEffects(t *testing.T) {
	t.Parallel()
	patched := []byte(`[{"op":"add","path":"/metadata/labels"},{"op":"remove","path":"/spec/x"}]`)
	type test struct {
		row
		visit *visit
		want  effects
	}
	rows := []test{
		{
			row:   row{"nothing", "a call that changes nothing is no effect"},
			visit: visited("", nil, admission.Call{Outcome: admission.Allowed}),
			want:  effects{},
		},
		{
			row:   row{"mutation", "all paths of the patch are named"},
			visit: visited("", nil, admission.Call{Outcome: admission.Allowed, Changed: true, Patch: patched}),
			want:  effects{mutation: "pods/a in default: hook changed /metadata/labels, /spec/x"},
		},
		{
			row: row{"reinvocation", "only a change in the second round shows what it is good for"},
			visit: visited("", nil,
				admission.Call{Outcome: admission.Allowed, Round: 1},
				admission.Call{Outcome: admission.Allowed, Round: 1, Changed: true, Patch: patched}),
			want: effects{reinvocation: "pods/a in default: hook was called again and changed /metadata/labels, /spec/x"},
		},
		{
			row:   row{"denial", "the message is the client's"},
			visit: visited("no", nil, admission.Call{Outcome: admission.Rejected}),
			want:  effects{denial: "pods/a in default: no"},
		},
		{
			row:   row{"fail-open", "a failure that denies is none"},
			visit: visited("", nil, admission.Call{Outcome: admission.FailedOpen, Err: errors.New("too late")}),
			want:  effects{failOpen: "pods/a in default: ignored, as failurePolicy says: too late"},
		},
		{
			row:   row{"warnings", "the first one will do"},
			visit: visited("", []string{"careful", "really"}),
			want:  effects{warned: "pods/a in default: careful"},
		},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		got := effects{}
		got.look(tc.visit)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

// TestMissingEffects is the demo's other ending.
func TestMissingEffects(t *testing.T) {
	t.Parallel()
	var out, stderr bytes.Buffer
	err := showEffects(effects{mutation: "m", denial: "d", warned: "w"}, &out)
	if status := report(t.Context(), err, &stderr); status != exitDenied {
		t.Errorf("status %d, want %d", status, exitDenied)
	}
	if got, want := stderr.String(), "gatehouse: demo: not seen: reinvocation, fail-open\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := "mutation      m\ndenial        d\nwarning       w\n\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("got %q, want it to begin with %q", &out, want)
	}
}
