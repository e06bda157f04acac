// Package policy runs requests through MutatingAdmissionPolicies and
// ValidatingAdmissionPolicies, as kube-apiserver's plugins of these names do.
//
// A Set holds compiled policies with their bindings. An Evaluator reads the
// current Set from a Source and does this for each phase of a request:
//
//  1. exempt: policies do not see requests for policies and their bindings, or
//     for authentication and authorization reviews
//  2. match: the index of package matching finds the policies whose rules may
//     match; selectors, rules, excludeResourceRules and resourceNames decide
//  3. evaluate: kube-apiserver's own dispatchers of k8s.io/apiserver find the
//     params, evaluate the expressions, and change or deny the request
//  4. record: with a Recorder, each policy leaves an admission.PolicyRecord
//
// Only step 2 and 4 are gatehouse's own, so that verdicts, messages, warnings,
// audit annotations and metrics are kube-apiserver's. The metrics are those of
// the process, in component-base's legacyregistry.
//
// # Order
//
// Policies are evaluated by name, and the bindings of a policy by name.
// kube-apiserver evaluates both in a random order, which changes whenever a
// policy or binding changes. The order decides which denial a client sees, and
// what mutations that do not commute make of the object.
//
// # Several versions
//
// Policies may ask for different versions of an object. kube-apiserver then
// gives each version its own copy of the request's object, and keeps the
// changes of the last one only. By default, an Evaluator applies the policies
// one after the other, and the first that fails ends the request; with
// Config.Exact, it does as kube-apiserver.
//
// # Concurrency and errors
//
// A Set is immutable. An Evaluator is safe for concurrent use and starts no
// goroutines, except while NewSet compiles. Errors are apimachinery's
// StatusErrors.
package policy
