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
//  3. evaluate: the expressions are evaluated with the params of each binding,
//     and change the object, or deny the request, as the binding's actions say
//  4. record: with a recorder, each policy leaves an admission.PolicyRecord
//
// Expressions are compiled, evaluated and charged by package
// k8s.io/apiserver/pkg/admission/plugin/cel, and mutations applied by package
// patch of kube-apiserver's plugin. The plugins themselves are not used: they link
// client-go's clients and informers of all groups, which take 25 s to compile.
// The metrics are theirs: those of the process, in component-base's
// legacyregistry.
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
// changes of the last one only. By default, each policy sees what those before it
// changed; with Config.Exact, an Evaluator does as kube-apiserver.
//
// # Concurrency and errors
//
// A Set is immutable. An Evaluator is safe for concurrent use and starts no
// goroutines, except while NewSet compiles. Errors are apimachinery's
// StatusErrors.
package policy
