package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/cli/program"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/testutil/testtable"
)

const twoConfigMaps = `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b}
`

// interrupting is an output during whose first write the interruption comes.
type interrupting struct {
	bytes.Buffer
	interrupt context.CancelFunc
}

func (i *interrupting) Write(p []byte) (int, error) {
	i.interrupt()
	return i.Buffer.Write(p)
}

// TestInterrupted interrupts between two objects: what was printed is whole,
// and nothing follows.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		output, want string
	}
	rows := []test{
		{
			row:    row{"yaml", "half a document might be applied"},
			output: flags.YAML,
			want:   "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: default\n",
		},
		{
			row:    row{"table", "an object is shown when it is through"},
			output: flags.Table,
			want:   "admitted  configmaps/a in default\n  no webhook was called\n",
		},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stdout := interrupting{interrupt: cancel}
		var stderr bytes.Buffer
		status := execute(ctx, []string{"run", "-o", tc.output, "-"}, strings.NewReader(twoConfigMaps), &stdout, &stderr)
		if status != program.Interrupted {
			t.Errorf("status %d, want %d", status, program.Interrupted)
		}
		if diff := cmp.Diff(tc.want, stdout.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
		if !strings.HasSuffix(stderr.String(), "gatehouse: interrupted\n") {
			t.Errorf("the interruption is not mentioned: %q", &stderr)
		}
	})
}

// TestInterruptedBefore interrupts before the first object: a JSON document
// without items would look like a result.
func TestInterruptedBefore(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, command := range []string{"run", "explain"} {
		var stdout bytes.Buffer
		status := execute(ctx, []string{command, "-o", "json", "-"}, strings.NewReader(twoConfigMaps), &stdout, io.Discard)
		if status != program.Interrupted || stdout.Len() > 0 {
			t.Errorf("%s: status %d and %q, want %d and nothing", command, status, &stdout, program.Interrupted)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// TestUnwritable: a failure of the output is neither a denial nor bad input.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	for _, output := range [][]string{
		{"run", "-o", flags.Table}, {"run", "-o", flags.YAML}, {"run", "-o", flags.JSON},
		{"explain", "-o", "tree"}, {"explain", "-o", flags.YAML}, {"explain", "-o", flags.JSON}, {"explain", "-o", "html"},
	} {
		var stderr bytes.Buffer
		status := execute(t.Context(), append(output, "-"), strings.NewReader(twoConfigMaps), brokenPipe{}, &stderr)
		if status != program.Failed || !strings.HasSuffix(stderr.String(), "gatehouse: writing the output: broken pipe\n") {
			t.Errorf("%s: status %d and %q, want %d and the reason", output, status, &stderr, program.Failed)
		}
	}
}

// TestVersion keeps the release that is claimed in step with the library that
// is required.
func TestVersion(t *testing.T) {
	t.Parallel()
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatalf("reading: %v", err)
	}
	if want := "\tk8s.io/apiserver " + apiserverVersion + "\n"; !strings.Contains(string(module), want) {
		t.Errorf("go.mod does not require %q", want)
	}
}
