package report

import (
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/process"
)

// Printed returns the end of what the commands of a suite that did not pass have printed, as
// they have; nothing of one that did.
func Printed(r *suite.SuiteResult) string {
	switch {
	case r.Passed():
		return ""
	case r.Printed != "":
		return r.Printed
	}
	return saidBy(r.Err)
}

// saidBy returns what the commands have printed that an error is about. Those that were not
// ready have left it nowhere else.
func saidBy(err error) string {
	if p, ok := err.(*process.Error); ok {
		return p.Printed
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return saidBy(e.Unwrap())
	case interface{ Unwrap() []error }:
		var all string
		for _, one := range e.Unwrap() {
			all += saidBy(one)
		}
		return all
	}
	return ""
}
