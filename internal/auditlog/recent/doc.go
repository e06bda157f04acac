// Package recent has a map of bounded size that drops the least recently used value.
//
// A Map belongs to one goroutine.
package recent
