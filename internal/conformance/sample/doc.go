// Package sample makes the requests that webhooks are tried with.
//
// # Steps
//
//  1. If nobody gives any requests, objects are made for the rules of the webhooks: one of
//     each kind that a rule names, in each version that it names. Where a rule leaves a
//     kind open there is one of each of the usual ones (pods, configmaps, services,
//     namespaces, deployments.apps, roles.rbac.authorization.k8s.io) and of each custom one
//     that matches, or else of the first few; where it leaves a version open, of the one
//     that servers prefer. Their labels, and those of their namespaces, are such that the
//     selectors of all webhooks match that ask for the kind. Where selectors exclude one
//     another there is one object for each side.
//  2. Every object, given or made, stands for what else can be asked of it: its UPDATE, its
//     DELETE, CONNECT to it, and requests to its subresources, as far as rules ask for them
//     and no given request does that already. Of the subresources that a rule leaves open
//     there are status, scale, eviction and exec. CONNECT has an object made for it if none
//     is given.
//  3. Pods are also created without a name, with a generateName that is made of it: so do
//     ReplicaSets, Jobs and DaemonSets, and mutating webhooks see such a pod before it has
//     a name (S-215). Every webhook that asks for pods gets one of these, whether the pods
//     are given or made, unless one is given already. Other kinds are mostly created by
//     people, who name them.
//  4. Of these, every webhook gets at least one, and they are filled up to 50: CREATE
//     before UPDATE, DELETE and subresources. Given ones are all kept, and come first.
//  5. Namespaces are those that are described, and those that the requests need besides.
//
// # Updates
//
// An update changes one annotation. One that changes nothing would be passed over by
// whoever compares the two objects; another label might not be what a selector selects,
// and most of what is in a spec must not change. By annotations nobody selects. Stored
// objects have the uid, the creation timestamp and the resource version that a server
// would have given them, but always the same ones.
//
// # Concurrency
//
// There is no state. What is passed in is not modified.
//
// # Errors
//
// There are none: what cannot be made is left out, and Set.Skipped says why.
//
// # What it does not do
//
// It does not read matchConditions: a webhook may still want something else.
package sample
