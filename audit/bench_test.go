package audit_test

import (
	"encoding/json"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/audit"
)

func BenchmarkAnnotations(b *testing.B) {
	patched := func(c *admission.Call) {
		c.Changed, c.Patch = true, json.RawMessage(`[{"op":"add","path":"/metadata/labels/a","value":"b"}]`)
	}
	for _, row := range []struct {
		name string
		call *admission.Call
	}{
		{"validating allowed", validating(func(*admission.Call) {})},
		{"validating failed open", validating(ends(admission.FailedOpen, registrationv1.Ignore))},
		{"mutating unchanged", mutating(func(*admission.Call) {})},
		{"mutating patched", mutating(patched)},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				audit.Annotations(row.call)
			}
		})
	}
}
