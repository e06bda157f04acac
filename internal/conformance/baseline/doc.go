// Package baseline reads and writes baseline files. A baseline file has the
// findings of `gatehouse conformance` that a project accepts, so that only new
// findings fail its build.
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
// Two findings are the same if these fields are equal. Messages do not count:
// they quote uids, times and addresses, which differ in every run.
//
// The file is sorted, so the same findings result in the same file. Errors name
// the file and, where possible, the document, line and field.
package baseline
