package calibration

import (
	"fmt"
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

// module is where the sources of the faults are.
const module = "../../../.."

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

// churnMutants are the faults as mutants, named after the kinds. It fails if the
// comparison has no fault of a name.
func churnMutants() ([]mutant.Mutant, error) {
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
		m, ok := all[r.fault]
		if !ok {
			return nil, fmt.Errorf("%s: the comparison has no fault %q", r.kind, r.fault)
		}
		m.Name = r.kind
		mutants = append(mutants, m)
	}
	return mutants, nil
}

// TestChurnFaultsApply finds faults that a change of gatehouse has retired.
func TestChurnFaultsApply(t *testing.T) {
	t.Parallel()
	kinds := map[string]bool{}
	for _, r := range churnFaults() {
		if kinds[r.kind] {
			t.Errorf("kind %q has two faults, and one name for them", r.kind)
		}
		kinds[r.kind] = true
		if _, err := regexp.Compile(r.shows); err != nil || r.shows == "" {
			t.Errorf("kind %q: a violation is to show %q: %v", r.kind, r.shows, err)
		}
	}
	mutants, err := churnMutants()
	if err == nil {
		_, err = mutant.Overlay(module, t.TempDir(), mutants)
	}
	if err != nil {
		t.Error(err)
	}
}
