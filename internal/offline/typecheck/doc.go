// Package typecheck checks the types in the expressions of
// ValidatingAdmissionPolicies. kube-controller-manager v1.37 does so after a
// policy was stored, and writes the warnings into its status. They have no effect
// on requests.
//
//  1. The kinds of the resources that the policy's rules name are looked up, at
//     most ten.
//  2. Each kind, and paramKind, gets a CEL type: of the Go type if it is built
//     in, and of the schema in the CustomResourceDefinition if it is custom.
//  3. The variables, and the expressions and messageExpressions of the validations,
//     are compiled for each kind, with object and oldObject of its type and with
//     params of the type of paramKind.
//
// The words are those of TypeChecker in package
// k8s.io/apiserver/pkg/admission/plugin/policy/validating, which links a client
// and its informers. A comparison is in test/internal/parity/policies. Only the
// names of types that a message quotes differ: upstream's are random.
//
// A Checker belongs to one goroutine.
package typecheck
