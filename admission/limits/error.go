package limits

import "fmt"

// Error is the error for an exceeded limit. Its text is meant to follow a
// colon: the package that checks the limit adds what exceeded it.
type Error struct {
	// Field is the name of the field of Limits.
	Field string
	// Limit is the value of the field.
	Limit int
	// Unit is the unit of the limit, in the plural.
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
