// Package draft writes a first suite of tests: what happens today becomes what is expected
// from then on.
//
//  1. Entries says where webhooks are, as a command line has said it, and Shell how they
//     are started. Describes tells samples from what says what the cluster is like.
//  2. Make makes cases of samples and of what came of them: each expects the verdict with
//     all that is said in it, the webhooks that were called, and the stage at which the
//     others were stopped.
//  3. A Draft's Text is the suite in YAML, and its Goldens are the objects that webhooks
//     have changed, which are for files of their own.
//
// # Concurrency
//
// The package keeps nothing and starts no goroutines.
//
// # Errors
//
// They are about samples of which no case can be made. Those for which a webhook could not be
// called are left out, because nobody wants to expect that, and are no error.
//
// # What it does not do
//
// It calls nobody and writes no files. It cannot know what ought to happen, and says so at
// the top of the text.
package draft
