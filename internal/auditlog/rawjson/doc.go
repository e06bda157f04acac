// Package rawjson finds values in JSON without decoding it: most of an audit event is bodies
// that a report does not need.
//
//	Skip     the end of a value
//	Members  the keys and values of an object
//	Items    the items of a list
//	Lookup   the value at a path
//	Keys     the keys of a JSON pointer, for Lookup
//	Text     a string, decoded
//
// The functions check that brackets and quotes close. They do not check literals and commas:
// a value that is decoded later is checked then.
//
// They share no state, return parts of their arguments, and read each byte once.
package rawjson
