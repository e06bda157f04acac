// Package protocol checks AdmissionReviews and their responses. The webhooks
// have received the samples (probe.Collection.Collect) before any check runs.
// The checks read these exchanges and send nothing:
//
//	answers.go      is there a response that can be decoded, and no panic?
//	fields.go       does it belong to this review?
//	denial.go       does a denial give a reason?
//	patches.go      does the patch apply?
//	patchedkind.go  is the patched object still valid?
//	nulls.go        is there a response to a review with a null?
//	extras.go       warnings, audit annotations, size
//
// Each check reports one property. If a review has no answer, C-PANIC reports
// it if the webhook broke down, and C-ANSWER otherwise. C-STATUS reports HTTP
// statuses that are not a success. The checks ignore the patch of a denial,
// because kube-apiserver never applies it, and everything that kube-apiserver
// ignores in v1beta1 (S-222).
//
// The package decodes only JSON. kube-apiserver also decodes YAML and protobuf
// (S-224), but the API does not promise this. The package does not evaluate
// x-kubernetes-validations on patched custom resources.
package protocol
