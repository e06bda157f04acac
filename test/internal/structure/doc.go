// Package structure keeps the shape of the repository: which package may import
// which, what the engine may link, that every exported name is documented. It
// holds nothing but tests.
package structure
