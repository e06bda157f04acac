// Package declared has the validation that the tags +k8s: of k8s.io/api declare,
// such as +k8s:required and +k8s:immutable, as kube-apiserver executes it beside
// its other validation. The tags of all stages are checked.
//
// `go generate` runs validation-gen, at the version in tools/go.mod, which
// writes a package for each group with tags. Generate again when k8s.io/api
// changes. Metadata has a package of its own, because that of apimachinery is not
// one that the generator takes.
package declared
