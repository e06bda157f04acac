package mutants

import (
	"slices"
	"testing"

	"example.com/gatehouse/test/internal/mutant"
)

type fault = mutant.Fault

// module is where the faults' files are.
const module = "../../.."

// area is some faults and the tests that have to find them.
type area struct {
	name string
	// folder is the tests' package, and flags are further ones of its tests.
	folder string
	flags  []string
	faults []fault
}

func areas() []area {
	rapid := []string{"-rapid.shrinktime=0s", "-rapid.nofailfile"}
	return []area{
		{"client", "dispatcher/client", nil, client()},
		{"limits", "admission/limits", nil, budgets()},
		{"engine", "dispatcher", rapid, engine()},
		{"panics", "dispatcher", rapid, panics()},
		{"guard", "internal/engine/guard", nil, guards()},
		{"source", "dispatcher/source", nil, sources()},
		{"manifests", "dispatcher/source/static", nil, manifests()},
		{"registration", "admission/registration", rapid, registrations()},
		{"plugin", "dispatcher/plugin", nil, plugins()},
		{"patch", "internal/engine/patch", nil, patches()},
		{"conditions", "internal/cel", rapid, conditions()},
		{"index", "matching", nil, slices.Concat(indexes(), sizes())},
		{"policies", "test/internal/parity/policies", []string{"-worlds=0"}, policies()},
		{"policyrecords", "dispatcher/policy", nil, policyRecords()},
		{"policysource", "dispatcher/policy/informed", nil, policySources()},
		{"policyplugin", "dispatcher/plugin", nil, policyPlugins()},
		{"policyfiles", "internal/offline/policies", nil, offlinePolicies()},
		{"collector", "dispatcher/collector", nil, collectors()},
		{"changes", "internal/whatif/changes", nil, changes()},
		{"whatif", "internal/whatif", []string{"-test.timeout=5m"}, causes()},
		{"diff", "internal/cli/diff", nil, gates()},
		{"auditlog", "internal/auditlog", rapid, auditReading()},
		{"auditloops", "internal/auditlog/loops", nil, auditLoops()},
		{"audittally", "internal/auditlog/tally", nil, auditTallies()},
		{"audithistory", "internal/auditlog/history", rapid, auditHistories()},
		{"auditpolicy", "internal/auditlog/policy", rapid, auditPolicies()},
	}
}

// every returns the faults of all areas as mutants.
func every() []mutant.Mutant {
	var faults []fault
	for _, a := range areas() {
		faults = append(faults, a.faults...)
	}
	return mutant.Mutants(faults...)
}

// TestMutantsApply finds mutants that a change of the sources has retired.
func TestMutantsApply(t *testing.T) {
	t.Parallel()
	mutants := every()
	names := map[string]bool{}
	for _, m := range mutants {
		if names[m.Name] {
			t.Errorf("mutant %q needs a name of its own", m.Name)
		}
		names[m.Name] = true
	}
	const least = 100
	if len(names) < least {
		t.Errorf("%d mutants, want at least %d", len(names), least)
	}
	if _, err := mutant.Overlay(module, t.TempDir(), mutants); err != nil {
		t.Error(err)
	}
}
