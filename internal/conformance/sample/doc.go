// Package sample makes the requests that the conformance checks send.
//
//  1. If no requests are given, Make makes objects from the rules of the
//     webhooks: one of each kind that a rule names, in each version that it
//     names. For a wildcard it takes each of the usual kinds (pods, configmaps,
//     services, namespaces, deployments.apps, roles.rbac.authorization.k8s.io)
//     and each custom kind that matches, or else the first few; for a version
//     wildcard it takes the preferred version. Labels of objects and namespaces
//     match the selectors of all webhooks whose rules match the kind. Selectors
//     that exclude one another get separate objects.
//  2. For every object, given or made, Make adds its UPDATE, DELETE and CONNECT
//     and requests for its subresources, if rules match them and no given
//     request already covers them. A subresource wildcard stands for status,
//     scale, eviction and exec. For CONNECT, Make creates an object if none is
//     given.
//  3. Make also creates pods with a generateName, as ReplicaSets, Jobs and
//     DaemonSets do. Mutating webhooks see such a pod before it has a name
//     (S-215). Every webhook that matches pods gets such a pod, unless one is
//     given. Most clients create objects of other kinds with a name.
//  4. Every webhook gets at least one request. Make adds further requests up to
//     50 in total: CREATE before UPDATE, DELETE and subresources. It keeps all
//     given requests, and puts them first.
//  5. The namespaces are the described ones and those of the requests.
//
// # Updates
//
// An update adds one annotation. A webhook may skip an update without changes;
// a label may be selected by a selector, and most of a spec is immutable.
// Stored objects have a fixed uid, creation timestamp and resource version.
//
// Make does not evaluate matchConditions, so a webhook may match none of the
// samples. It returns no error: Set.Skipped has the errors of requests that it
// could not make.
package sample
