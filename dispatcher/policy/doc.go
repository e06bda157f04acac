// Package policy runs requests through MutatingAdmissionPolicies and
// ValidatingAdmissionPolicies, as kube-apiserver's plugins of these names do.
//
// A Set holds compiled policies with their bindings. An Evaluator reads the
// current Set from a Source and does this for each phase of a request:
//
//  1. exempt: policies do not receive requests for policies and their bindings,
//     or for authentication and authorization reviews
//  2. match: the index of package matching finds the policies whose rules may
//     match; selectors, rules, excludeResourceRules and resourceNames decide
//  3. evaluate: the Evaluator evaluates the expressions with the params of each
//     binding. They change the object, or deny the request, depending on the
//     binding's actions
//  4. record: the recorder, if there is one, receives an admission.PolicyRecord
//     of each policy
//
// Package k8s.io/apiserver/pkg/admission/plugin/cel compiles and evaluates
// expressions and charges their costs. Package patch of kube-apiserver's plugin
// applies mutations. This package does not use the plugins themselves, because
// they link client-go's clients and informers of all groups, which take 25 s to
// compile. It uses the plugins' metrics: those of the process, in
// component-base's legacyregistry.
//
// # Order
//
// An Evaluator evaluates policies in the order of their names, and the bindings
// of a policy likewise. kube-apiserver evaluates both in a random order, which
// changes whenever a policy or binding changes. The order decides which denial
// a client receives, and the result of mutations that do not commute.
//
// # Several versions
//
// Policies may use different versions of an object. kube-apiserver then gives
// each version its own copy of the request's object, and keeps only the changes
// of the last one. By default, an Evaluator passes each policy the changes of
// the earlier ones; with Config.Exact, it behaves like kube-apiserver.
//
// # Concurrency and errors
//
// A Set is immutable. An Evaluator is safe for concurrent use and starts no
// goroutines, except while NewSet compiles. Errors are apimachinery's
// StatusErrors.
package policy
