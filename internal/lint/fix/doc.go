// Package fix changes files so that findings of lint are gone, where the remedy does
// not depend on what the webhook does.
//
//	files.go       Files: the files with their changes; Write
//	diff.go        File.Diff: a change as a unified diff
//	remedies.go    the rules with a remedy
//	exclusions.go  remedies that exempt requests from a webhook
//	values.go      remedies that set other fields
//	edit.go        what a remedy changes in an object
//
// A remedy does not remove a webhook from requests that its rules name: if they list
// leases, the webhook is for leases. Then the finding stays.
//
// Package rewrite changes the text: comments and all other lines stay as they are.
// Only Write changes files.
package fix
