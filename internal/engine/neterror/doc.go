// Package neterror tells the errors of an HTTP exchange whose text may quote
// the response from those whose text does not. A response may repeat the object
// of the review, so an error that quotes it must not be logged.
//
// The client marks errors while it still knows where they come from: net/http
// has no type for most of its errors about a response.
package neterror
