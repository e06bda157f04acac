// Package draft generates a suite of tests that expects what happens today.
//
//  1. Entries returns the endpoints of webhooks from the options of a command
//     line, and Shell the command that starts them. DescribesCluster tells
//     samples from objects that describe the cluster.
//  2. Make makes cases from samples and their responses: each expects the
//     verdict with all its details, the called webhooks, the stage that
//     excluded the others, and errors of policies. It leaves out samples whose
//     webhooks could not be called: they make no useful expectation.
//  3. Draft.Text returns the suite as YAML; Draft.Goldens are the golden files
//     of changed objects.
//
// The package cannot know the intended behaviour; the head of the text tells
// the author to review it.
package draft
