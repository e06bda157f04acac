// Package validation validates the objects of built-in resources beyond their
// metadata, with the messages of kube-apiserver. Package declared has the rules
// that tags of k8s.io/api declare, and package rules has the rules for single
// values. This package has the rules that compare fields of a kind, or an
// object with its old version:
//
//   - pods and pod templates have containers with unique names and with images
//   - a container with an unmasked /proc is in a pod with a user namespace
//   - the selector of a workload matches its template and does not change
//   - a CronJob has a schedule
//   - of a pod's spec only the fields change that kube-apiserver allows to
//     change
//   - of StatefulSets, jobs, claims, volumes and priority classes only the fields
//     change that kube-apiserver allows to change
//   - a service has ports, with unique names if there are several, unless it is
//     headless or of type ExternalName; its ClusterIP does not change
//   - a Secret keeps its type; Secrets and ConfigMaps that are immutable keep
//     their data; role bindings keep their role
//
// The complete validation of kube-apiserver is in k8s.io/kubernetes, which
// cannot be imported, so this server accepts some objects that kube-apiserver
// rejects.
//
// Each function has the signature of Func.
package validation
