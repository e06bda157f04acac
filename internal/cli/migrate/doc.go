// Package migrate is the command `gatehouse migrate`: it prints a skeleton of an
// admission policy for each webhook of webhook configurations, and what the policy
// cannot take over.
//
//  1. It reads the configurations as `gatehouse run` does: each must be valid.
//  2. Each webhook becomes a policy that sees the same requests, and a binding of
//     it. The validation or mutation is a placeholder, because a configuration does
//     not say what its webhook does.
//  3. What is different for a policy becomes a Loss.
//
// A webhook that no policy can replace has losses only. The skeletons are valid:
// an API server stores them.
//
// The package starts no goroutines, makes no connections and calls no webhook.
package migrate
