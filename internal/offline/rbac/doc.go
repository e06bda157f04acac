// Package rbac authorizes requests by a list of RBAC objects, without a
// cluster: for matchConditions that call the authorizer while a request is
// simulated.
//
// Add fills a Policy. Authorize takes these steps:
//
//  1. members of system:masters may do everything, as in every API server;
//  2. the ClusterRoleBindings that name the user are visited in the order in
//     which they were added, then the RoleBindings of the request's namespace;
//  3. the first rule of a bound role that covers the request allows it;
//  4. otherwise there is no opinion, which conditions see as "not allowed".
//
// The reasons that it gives, which conditions can read, are kube-apiserver's.
//
// # Concurrency
//
// Add must not be called at the same time as anything else. Once the policy is
// complete, Authorize may be called from many goroutines.
//
// # Errors
//
// Add rejects objects that an API server does not store, and those with the name
// of another object. Authorize has no errors: a binding to a role that does
// not exist grants nothing and is mentioned in the reason, as upstream does.
//
// # What it does not do
//
// It does not fill aggregated ClusterRoles: their rules are those that are
// written in them, which for an export from a cluster are the aggregated ones.
// It does not bring along the roles that every cluster has (cluster-admin,
// system:basic-user and so on), and it knows no other way to authorize than
// RBAC: nodes have no special rights.
package rbac
