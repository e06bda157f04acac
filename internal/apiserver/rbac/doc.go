// Package rbac authorizes requests by the stored Roles, ClusterRoles and their
// bindings, as kube-apiserver does with --authorization-mode=RBAC.
//
//	resolver.go    which rules apply to a user
//	cache.go       the objects in memory, which are current after each write
//	aggregate.go   the rules of ClusterRoles with an aggregationRule
//	authorizer.go  whether a rule allows a request
//	escalation.go  whether a user may grant rules to others
//	bootstrap*.go  the roles and bindings that exist from the beginning
//
// Concurrency: the methods of Resolver and Guard may be called concurrently, after
// Attach.
package rbac
