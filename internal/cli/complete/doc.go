// Package complete completes the values of flags in a shell, for the commands
// that 'gatehouse completion' prints the script of: fixed values (Values), the
// names of webhooks and faults (Webhooks, Faults), and the paths of fields
// (Fields).
//
// Names and paths come from the files that are on the command line already.
// Standard input and what cannot be read are left out without a word. No
// webhook is called.
package complete
