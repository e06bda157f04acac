// Package replaytest has a cluster and a corpus for tests and benchmarks of
// replays: 20 webhooks, 20 policies, and the creation of any number of pods.
package replaytest
