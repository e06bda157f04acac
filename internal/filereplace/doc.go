// Package filereplace writes whole files atomically, so that neither an error nor an
// interruption leaves half a file.
package filereplace
