package diff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
)

// policy denies ConfigMaps with a message unless an expression is true.
const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: maps}
spec:
  matchConstraints:
    resourceRules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [%s]}]
  validations: [{expression: "%s", message: %s}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: maps}
spec: {policyName: maps, validationActions: [Deny]}
`

// line is a corpus.
const line = `{"apiVersion": "gatehouse/v1alpha1", "kind": "RecordedRequest", "id": "one", "source": "serve", ` +
	`"review": {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {` +
	`"uid": "3b0c6fd5-4e0f-4d7e-a0b8-000000000001", "kind": {"group": "", "version": "v1", "kind": "ConfigMap"}, ` +
	`"resource": {"group": "", "version": "v1", "resource": "configmaps"}, "name": "web", "namespace": "blue", ` +
	`"operation": "CREATE", "userInfo": {"username": "ann"}, "object": {"apiVersion": "v1", "kind": "ConfigMap", ` +
	`"metadata": {"name": "web", "namespace": "blue"}}}}}` + "\n"

// written returns a new file with a text.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// compared returns what the command ends with, and prints.
func compared(ctx context.Context, t *testing.T, before, after string, more ...string) (string, error) {
	t.Helper()
	return executed(ctx, append([]string{
		"--before", written(t, "before.yaml", before), "--after", written(t, "after.yaml", after),
	}, more...)...)
}

// executed returns what the command with these arguments ends with, and prints. Its
// standard input is empty.
func executed(ctx context.Context, args ...string) (string, error) {
	cmd := New()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	var out bytes.Buffer
	cmd.SetIn(&bytes.Buffer{})
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	return out.String(), err
}

// TestFailOn: the command fails by a difference of the level of --fail-on, or of one that
// this includes.
func TestFailOn(t *testing.T) {
	t.Parallel()
	corpus := written(t, "corpus.jsonl", line)
	before := fmt.Sprintf(policy, "configmaps", "false", "closed")
	idle := fmt.Sprintf(policy, "configmaps", "true", "closed")
	for _, tc := range []struct {
		name, before, after string
		// fails says whether it fails by verdict, object, and calls.
		fails [3]bool
	}{
		{"verdict", before, idle, [3]bool{true, true, true}},
		{"object", before, fmt.Sprintf(policy, "configmaps", "false", "shut"), [3]bool{false, true, true}},
		{"calls", idle, fmt.Sprintf(policy, "services", "true", "closed"), [3]bool{false, false, true}},
		{"nothing", before, before, [3]bool{}},
	} {
		for i, level := range levels() {
			t.Run(tc.name+" by "+level, func(t *testing.T) {
				t.Parallel()
				out, err := compared(t.Context(), t, tc.before, tc.after, "--fail-on", level, corpus)
				if tc.fails[i] != errors.Is(err, message.ErrDenied) || !tc.fails[i] && err != nil {
					t.Errorf("it ends with %v, and prints\n%s", err, out)
				}
			})
		}
	}
}

// TestBroken: what is readable of a corpus is compared, and then the rest is an error that
// comes before a difference, unless it is to be left out.
func TestBroken(t *testing.T) {
	t.Parallel()
	set := fmt.Sprintf(policy, "configmaps", "true", "closed")
	strict := fmt.Sprintf(policy, "configmaps", "false", "closed")
	corpus := written(t, "corpus.jsonl", line+line[:100])
	var input *message.InputError
	if out, err := compared(t.Context(), t, set, strict, corpus); !errors.As(err, &input) || out == "" {
		t.Errorf("it ends with %v, and prints\n%s", err, out)
	}
	if out, err := compared(t.Context(), t, set, set, "--broken", "skip", corpus); err != nil {
		t.Errorf("it ends with %v, and prints\n%s", err, out)
	}
	if out, err := compared(t.Context(), t, set, strict, "--broken", "skip", corpus); !errors.Is(err, message.ErrDenied) {
		t.Errorf("it ends with %v, and prints\n%s", err, out)
	}
	if _, err := compared(t.Context(), t, set, set, written(t, "empty.jsonl", "")); !errors.As(err, &input) {
		t.Errorf("without requests it ends with %v", err)
	}
}

// TestEquivalentStandardInput: no set of --equivalent is standard input if it is read twice.
func TestEquivalentStandardInput(t *testing.T) {
	t.Parallel()
	set := written(t, "set.yaml", fmt.Sprintf(policy, "configmaps", "false", "closed"))
	corpus := written(t, "corpus.jsonl", line)
	for _, args := range [][]string{{"-", set, corpus}, {set, "-", corpus}, {"-", "-"}} {
		var usage *message.UsageError
		_, err := executed(t.Context(), append([]string{"--equivalent"}, args...)...)
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), `"-"`) {
			t.Errorf("%q: it ends with %v", args, err)
		}
	}
}

// TestDraining: a comparison that has results announces that ^C must wait for them.
func TestDraining(t *testing.T) {
	t.Parallel()
	before := written(t, "before.yaml", fmt.Sprintf(policy, "configmaps", "false", "closed"))
	after := written(t, "after.yaml", fmt.Sprintf(policy, "configmaps", "true", "closed"))
	corpus := written(t, "corpus.jsonl", line)
	for _, args := range [][]string{
		{"--before", before, "--after", after, corpus}, {"--equivalent", before, after},
	} {
		ctx, drains := command.AllowDraining(t.Context())
		if _, err := executed(ctx, args...); !errors.Is(err, message.ErrDenied) {
			t.Errorf("%q: it ends with %v", args, err)
		}
		select {
		case <-drains:
		default:
			t.Errorf("%q: it does not announce it", args)
		}
	}
}
