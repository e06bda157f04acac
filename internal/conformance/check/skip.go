package check

import "fmt"

// Skip says that nothing can be told after all, and why, whatever was seen before: there is
// no pass any more. Findings stay.
func (r *Record) Skip(format string, args ...any) {
	r.saw, r.lacks = false, fmt.Sprintf(format, args...)
}
