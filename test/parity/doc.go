// Package parity compares gatehouse with kube-apiserver's own code: the same
// input goes to both, and what comes out has to be equal. It holds nothing but
// tests.
//
// Upstream's packages register metrics in a global registry and read global
// feature gates, which is why no other test imports them, and why tests here
// use names of webhooks that no other test uses.
package parity
