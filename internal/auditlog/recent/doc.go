// Package recent has a map of bounded size that drops what was least recently used.
//
// A Map belongs to one goroutine.
package recent
