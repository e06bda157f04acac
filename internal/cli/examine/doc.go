// Package examine has what the commands lint and outage share: the flags of their
// inputs, and running the requests that a cluster depends on with a progress line.
//
// An Inputs belongs to one command. Mistakes in the flags are plain errors, and those in
// files message.InputErrors. The package calls no webhook.
package examine
