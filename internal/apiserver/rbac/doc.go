// Package rbac authorizes requests by the stored Roles, ClusterRoles and their
// bindings, as kube-apiserver does with --authorization-mode=RBAC.
//
//	bootstrap*.go  the roles and bindings that exist from the beginning
package rbac
