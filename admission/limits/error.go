package limits

import "fmt"

// Error says that a limit was exceeded. Whoever returns it says of what: the text
// is made to follow a colon.
type Error struct {
	// Field is the name of the field of Limits.
	Field string
	// Limit is the value that was in force.
	Limit int
	// Unit is what the limit counts, in the plural.
	Unit string
}

// Error returns for example "more than 8388608 bytes (Limits.ResponseBody)".
func (e *Error) Error() string {
	return fmt.Sprintf("more than %d %s (Limits.%s)", e.Limit, e.Unit, e.Field)
}

// Bytes returns the error for a field that is a size.
func Bytes(field string, limit int) *Error {
	return &Error{Field: field, Limit: limit, Unit: "bytes"}
}
