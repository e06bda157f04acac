// Package merge is the command `gatehouse merge`. Package results merges the files.
package merge
