// Package filereplace writes whole files atomically, so that neither an error nor an
// interruption, such as a loss of power, leaves half a file.
package filereplace
