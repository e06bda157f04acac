// Package faults is the command `gatehouse faults`: it lists the faults that
// --inject knows by name, or prints the script of one as a template.
//
// --inject accepts the printed script with the same meaning. An unknown name is
// a usage error. Package faultserver implements the faults.
package faults
