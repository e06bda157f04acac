// Package manifesttest lets tests write the documents that they need as texts.
//
// Documents and Only read them, as package manifest reads files, and Compact writes down what
// is in one, for a test to compare. What cannot be read is a failure of the test. The package
// is for tests alone, keeps nothing, and starts no goroutines.
//
// It decodes no objects, and is not for tests of what package manifest refuses.
package manifesttest
