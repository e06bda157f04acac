package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testtable"
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

// TestInterrupted interrupts between two objects: what was printed is whole, and
// nothing follows.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		output, want string
	}
	rows := []test{
		{
			row:    row{"yaml", "half a document might be applied"},
			output: outputYAML,
			want:   "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: default\n",
		},
		{
			row:    row{"table", "an object is shown when it is through"},
			output: outputTable,
			want:   "admitted  configmaps/a in default\n  no webhook was called\n",
		},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stdout := interrupting{interrupt: cancel}
		var stderr bytes.Buffer
		status := execute(ctx, []string{"run", "-o", tc.output, "-"}, strings.NewReader(twoConfigMaps), &stdout, &stderr)
		if status != exitInterrupted {
			t.Errorf("status %d, want %d", status, exitInterrupted)
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
	var stdout bytes.Buffer
	status := execute(ctx, []string{"run", "-o", "json", "-"}, strings.NewReader(twoConfigMaps), &stdout, io.Discard)
	if status != exitInterrupted || stdout.Len() > 0 {
		t.Errorf("status %d and %q, want %d and nothing", status, &stdout, exitInterrupted)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// TestUnwritable: a failure of the output is nobody's denial and no bad input.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	for _, output := range []string{outputTable, outputYAML, outputJSON} {
		var stderr bytes.Buffer
		status := execute(t.Context(), []string{"run", "-o", output, "-"}, strings.NewReader(twoConfigMaps), brokenPipe{}, &stderr)
		if status != exitFailed || !strings.HasSuffix(stderr.String(), "gatehouse: writing the output: broken pipe\n") {
			t.Errorf("-o %s: status %d and %q, want %d and the reason", output, status, &stderr, exitFailed)
		}
	}
}

// TestTrust: the CA of the command line is only for webhooks without their own.
func TestTrust(t *testing.T) {
	t.Parallel()
	configuration := &registrationv1.ValidatingWebhookConfiguration{Webhooks: []registrationv1.ValidatingWebhook{
		{Name: "own", ClientConfig: registrationv1.WebhookClientConfig{CABundle: []byte("own")}},
		{Name: "none"},
	}}
	trust(configuration, []byte("given"))
	got := []string{string(configuration.Webhooks[0].ClientConfig.CABundle), string(configuration.Webhooks[1].ClientConfig.CABundle)}
	if diff := cmp.Diff([]string{"own", "given"}, got); diff != "" {
		t.Errorf("CA bundles (-want +got):\n%s", diff)
	}
}

// TestShownText: webhooks are strangers.
func TestShownText(t *testing.T) {
	t.Parallel()
	if got, want := shownText("no\n\x1b[2Kadmitted"), "no\n    ^[[2Kadmitted"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRounded(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		1234567 * time.Microsecond: "1.23s",
		23456 * time.Microsecond:   "23ms",
		2345 * time.Microsecond:    "2.3ms",
		234 * time.Microsecond:     "230µs",
		0:                          "0s",
	} {
		if got := rounded(d).String(); got != want {
			t.Errorf("%v is shown as %s, want %s", d, got, want)
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
