// Package baseline reads and writes baseline files: the findings of
// `gatehouse conformance` that a project accepts for now, so that only new ones
// fail its build.
//
//	apiVersion: gatehouse/v1alpha1
//	kind: ConformanceBaseline
//	findings:
//	- check: C-IDEMPOTENT
//	  webhook: sidecars/sidecar.example.com
//	  sample: CREATE pods/web in shop
//	  paths:
//	  - spec.containers[1]
//
// A finding is the same if these fields are: messages quote uids, times and
// addresses, which differ from run to run.
//
// The file is sorted, and the same findings make the same file. Errors of a
// file have its name and, where possible, the document, line and field.
package baseline
