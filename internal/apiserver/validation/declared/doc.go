// Package declared has the validation that the tags +k8s: of k8s.io/api
// declare, such as +k8s:required and +k8s:immutable. kube-apiserver runs it in
// addition to its other validation. The package checks the tags of all stages.
//
// `go generate` runs validation-gen, at the version in tools/go.mod, which
// writes a package for each group with tags. Generate again when k8s.io/api
// changes. Metadata has its own package, because the generator does not accept
// the package of apimachinery.
package declared
