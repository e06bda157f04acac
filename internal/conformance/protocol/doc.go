// Package protocol has the checks of AdmissionReviews and of the answers to them.
//
// # Steps
//
// The webhooks have met the samples (probe.Collection.Meet) before any check is run. The
// checks look at the exchanges of that, and send nothing themselves:
//
//	answers.go      is there an answer that can be read?
//	fields.go       is it an answer to this review?
//	denial.go       does a no say why?
//	patches.go      can the patch be applied?
//	patchedkind.go  is what comes of it still an object of its kind?
//	nulls.go        is there an answer where the review has null?
//	extras.go       warnings, audit annotations, size
//
// Each looks at an aspect of its own. What has no answer is left to the checks of that,
// an answer with another HTTP status than those of success to C-STATUS, and what the patch
// of a denial would do is nobody's, because it is never applied. What kube-apiserver does
// not look at in v1beta1 (S-222) is not looked at here.
//
// # Concurrency
//
// Checks have no state. Each run belongs to one goroutine.
//
// # Errors
//
// There are none: what is wrong goes into the check.Record.
//
// # What it does not do
//
// It reads JSON alone. kube-apiserver would read YAML and protobuf as well (S-224), which
// the API does not promise. Rules of x-kubernetes-validations are not evaluated on patched
// custom resources.
package protocol
