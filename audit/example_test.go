package audit_test

import (
	"encoding/json"
	"fmt"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/audit"
)

func ExampleAnnotations() {
	call := &admission.Call{
		Webhook: &admission.Webhook{
			Phase:         admission.Mutating,
			Configuration: "sidecars",
			Name:          "inject.example.com",
		},
		Outcome:          admission.Allowed,
		Changed:          true,
		Patch:            json.RawMessage(`[{"op":"remove","path":"/spec/hostname"}]`),
		AuditAnnotations: map[string]string{"rule": "no-hostname"},
	}
	for _, a := range audit.Annotations(call) {
		fmt.Printf("%s %s\n  %s\n", a.Level, a.Key, a.Value)
	}
	// Output:
	// Metadata inject.example.com/rule
	//   no-hostname
	// Request patch.webhook.admission.k8s.io/round_0_index_0
	//   {"configuration":"sidecars","webhook":"inject.example.com","patch":[{"op":"remove","path":"/spec/hostname"}],"patchType":"JSONPatch"}
	// Metadata mutation.webhook.admission.k8s.io/round_0_index_0
	//   {"configuration":"sidecars","webhook":"inject.example.com","mutated":true}
}
