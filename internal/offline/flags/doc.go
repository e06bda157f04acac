// Package flags parses the values of flags that several commands share: the
// formats of --output, the file of --ca-file, the routes of --resolve, the file
// of --admission-control-config-file, the files and folders of -f, "-" for standard
// input, the number of --parallel, flags that make others ineffective, and the flag
// --connect-anywhere.
//
// The commands define names and help texts. Errors begin with the name of the
// flag.
//
// The package has no state and starts no goroutines. It opens the files that it
// is given, but not the files that those refer to.
package flags
