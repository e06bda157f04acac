// Package flags is what flags mean that several commands have: the formats of
// --output, the file of --ca-file, the routes of --resolve, the file of
// --admission-control-config-file, "-" for standard input, and that one flag leaves
// others without effect.
//
// Their names and help texts are the commands' own. Errors begin with the name of the
// flag.
//
// The package keeps nothing and starts no goroutines. It opens the files that it is
// given, and nothing that they lead to.
package flags
