// Package protocol has the checks of AdmissionReviews and their responses. The
// webhooks have received the samples (probe.Collection.Collect) before any
// check runs. The checks read these exchanges and send nothing:
//
//	answers.go      is there a response that can be decoded, and no panic?
//	fields.go       does it belong to this review?
//	denial.go       does a denial give a reason?
//	patches.go      does the patch apply?
//	patchedkind.go  is the patched object still valid?
//	nulls.go        is there a response to a review with a null?
//	extras.go       warnings, audit annotations, size
//
// Each check reports one property. Reviews without an answer are reported by
// C-PANIC, if the webhook broke down, or else by C-ANSWER, other HTTP statuses
// than success by C-STATUS. The patch of a denial is not checked, because it is
// never applied. What kube-apiserver ignores in v1beta1 (S-222) is ignored here.
//
// The package decodes JSON only. kube-apiserver would decode YAML and protobuf
// as well (S-224), which the API does not promise. x-kubernetes-validations are
// not evaluated on patched custom resources.
package protocol
