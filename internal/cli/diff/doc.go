// Package diff is the command `gatehouse diff`: it says what changes for the requests
// of a corpus if one set of webhook configurations and policies replaces another, and
// which change is the cause.
//
// Package whatif compares the sets. The command makes a Document of its report, which
// every form of the output is made from. It returns message.ErrDenied if there is a
// difference at the level of --fail-on.
package diff
