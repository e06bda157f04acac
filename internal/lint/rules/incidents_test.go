package rules_test

import (
	"path/filepath"
	"testing"
)

// incidents are published ones, and the rules that would have told before.
var incidents = []struct {
	name, rule string
}{
	{"uds-core-1509", "deadlock"},
	{"kyverno-16177", "blocks-own-pods"},
	{"gatekeeper-870", "delays-leases"},
	{"gatekeeper-3829", "blocks-leader-election"},
	{"gatekeeper-3829", "blocks-node-leases"},
	{"kubernetes-128162", "serial-timeouts"},
	{"kubernetes-90217", "delays-leases"},
	{"cozystack-3125", "blocks-system-pods"},
	{"slurm-operator-189", "blocks-scheduling"},
	{"topolvm-57", "blocks-system-pods"},
	{"capsule-2036", "blocks-own-pods"},
	{"capsule-2036", "blocks-system-pods"},
	{"capsule-1135", "blocks-nodes"},
	{"eks-charts-822", "blocks-own-pods"},
	{"capsule-455", "service-missing"},
}

// TestIncidents: rules find the configurations of incidents, and no longer after the
// remedy. The files name the threads.
func TestIncidents(t *testing.T) {
	t.Parallel()
	for _, i := range incidents {
		folder, rule := filepath.Join("testdata", "incidents", i.name), ruleOf(t, i.rule)
		if !finds(t, rule, read(t, filepath.Join(folder, "before.yaml"))) {
			t.Errorf("%s: %s finds nothing", i.name, i.rule)
		}
		if finds(t, rule, read(t, filepath.Join(folder, "after.yaml"))) {
			t.Errorf("%s: %s finds something after the remedy", i.name, i.rule)
		}
	}
}

// TestFalseAlarms: other linters reported overlapping webhooks where none overlap.
func TestFalseAlarms(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"istio-34562", "istio-36114"} {
		text := read(t, filepath.Join("testdata", "incidents", name, "silent.yaml"))
		if finds(t, ruleOf(t, "called-twice"), text) {
			t.Errorf("%s: two webhooks overlap", name)
		}
	}
}
