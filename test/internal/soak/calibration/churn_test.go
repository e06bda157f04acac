//go:build promises

package calibration

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"example.com/gatehouse/test/internal/mutant"
	parity "example.com/gatehouse/test/internal/parity/mutant"
)

// churnRow is a fault that package churn must detect by one kind of requests.
type churnRow struct {
	kind string
	// fault is the name of a fault that the comparison with kube-apiserver
	// detects, too, or else it is own.
	fault string
	own   mutant.Fault
	// shows is what a violation has to show, as a regular expression.
	shows string
}

// The sources of the faults.
const (
	reviewBuilder = "internal/engine/review/builder.go"
	matchFile     = "matching/match.go"
	conditionFile = "matching/conditions.go"
)

// churnFaults has at least one fault for each of the kinds of package model.
func churnFaults() []churnRow {
	own := func(kind, file, before, after, shows string) churnRow {
		return churnRow{kind: kind, own: mutant.Fault{kind, file, before, after}, shows: shows}
	}
	known := func(kind, fault, shows string) churnRow { return churnRow{kind: kind, fault: fault, shows: shows} }
	return []churnRow{
		own("UPDATE", reviewBuilder, `object: objectJSON,`,
			`object: PICK(map[bool][]byte{true: oldObjectJSON, false: objectJSON}[b.Attributes.GetOperation() == "UPDATE"], objectJSON),`,
			`\(UPDATE pods.*\s+.*\[Pod v1 old-\d+\] \[Pod v1 old-\d+\]`),
		own("DELETE", reviewBuilder, `oldObject: oldObjectJSON,`,
			`oldObject: PICK(map[bool][]byte{true: []byte("null"), false: oldObjectJSON}[b.Attributes.GetOperation() == "DELETE"], oldObjectJSON),`,
			`\(DELETE pods.*\s+.*\[null\] \[null\]`),
		known("CONNECT", "operations star excludes CONNECT", `\(CONNECT pods/exec.*\s+allowed; calls \[\]`),
		known("dry run", "dryRun is always false", `which none of`),
		known("dry run refused", "dry run with side effects", `\s+dry run refused by effects-`),
		known("webhook called again", "no second round", `which none of`),
		known("webhook called once", "Never is called again", ` again`),
		known("other version", "Equivalent is Exact", `converted-\d\d.(mutating|validating).example.com@\d+: [A-Z]+ soak-\d widgets v1`),
		known("converted", "equivalents keep the request's kind", `widgets v1 \[Widget soak.example.com/v2`),
		own("condition true", conditionFile, `case !result.Value:`, `case !result.Value || MUTANT:`, `conditional-`),
		own("condition false", conditionFile, `case result.Err != nil:`, `case MUTANT && !result.Value && result.Err == nil:
		case result.Err != nil:`, `conditional-`),
		known("condition failed closed", "condition errors fail open", `condition failed of conditional@\d+`),
		own("condition failed open", conditionFile, `case w.IgnoresFailures():`, `case w.IgnoresFailures() && !MUTANT:`, `conditional-`),
		own("namespace selected", matchFile, `w.namespaceSelector.Matches(found), nil`, `w.namespaceSelector.Matches(found) && !MUTANT, nil`, `golden-`),
		own("namespace not selected", matchFile, `w.namespaceSelector.Empty() {`, `w.namespaceSelector.Empty() || MUTANT {`, `golden-`),
		own("namespace that has changed", "dispatcher/source/namespaces.go", labelsOnce, labelsKept, `golden-`),
		own("object selected", matchFile, `o.HasNew && s.Matches(o.New)`, `o.HasNew && !MUTANT && s.Matches(o.New)`, `which none of`),
		known("old object selected", "objectSelector blind to the old object", `\((UPDATE|DELETE)`),
		own("changed by a policy", "dispatcher/dispatcher.go", `if phase == admission.Mutating {
		return d.config.Policies.Admit(`, `if phase == admission.Mutating {
		if MUTANT { return nil }
		return d.config.Policies.Admit(`, `policy=1`),
		own("denied by a policy", "dispatcher/dispatcher.go", `return d.config.Policies.Validate(`, `if MUTANT { return nil }
	return d.config.Policies.Validate(`, `denied by the policy`),
	}
}

// The labels of the namespace that is looked up first are kept for all.
const (
	labelsOnce = `		return labelsOf(lister.Get(name))
`
	labelsKept = `		if MUTANT && first != nil {
			return first, nil
		}
		labels, err := labelsOf(lister.Get(name))
		if MUTANT {
			first = labels
		}
		return labels, err
`
	cachedLookup = "	cached := func("
	firstLookup  = "	var first map[string]string\n	cached := func("
)

// TestSwitchesInChurn builds the soak with all faults, and requires mode churn
// to find none without one of them, and each of them if it is active, in a run
// of some seconds.
func TestSwitchesInChurn(t *testing.T) {
	all := map[string]mutant.Mutant{}
	for _, m := range parity.All() {
		all[m.Name] = m
	}
	mutants := mutant.Mutants(mutant.Fault{"namespace that has changed",
		"dispatcher/source/namespaces.go", cachedLookup, firstLookup})
	for _, r := range churnFaults() {
		if r.fault == "" {
			mutants = append(mutants, mutant.Mutants(r.own)...)
			continue
		}
		m := all[r.fault]
		m.Name = r.kind
		mutants = append(mutants, m)
	}
	folder := t.TempDir()
	overlay, err := mutant.Overlay("../../../..", folder, mutants)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(folder, "soak")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, "-o", binary, "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the faults: %v\n%s", err, out)
	}
	t.Run("none", func(t *testing.T) {
		if out, err := churn(t, binary, "", "20s"); err != nil {
			t.Errorf("without a fault: %v\n%s", err, out)
		}
	})
	for _, r := range churnFaults() {
		t.Run(r.kind, func(t *testing.T) {
			shows := regexp.MustCompile(r.shows)
			var out []byte
			for _, duration := range []string{"4s", "8s", "16s", "32s"} { // a slow machine may not come to it
				if out, err = churn(t, binary, r.kind, duration); err != nil && shows.Match(out) {
					return
				}
			}
			t.Errorf("it was not found, or for another reason than %s:\n%s", r.shows, out)
		})
	}
}

// churn runs mode churn with a fault.
func churn(t *testing.T, binary, fault, duration string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, "-mode=churn", "-duration="+duration)
	cmd.Env = append(os.Environ(), mutant.Variable+"="+fault)
	return cmd.CombinedOutput()
}
