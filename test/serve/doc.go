// Package serve tests `gatehouse serve` as its users have it: the built command in a
// process of its own, used by client-go and by kubectl over HTTPS. It has tests only;
// package process, below it, runs the command for them.
package serve
