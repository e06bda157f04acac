// Package cputime measures what a test uses of the processors.
package cputime
