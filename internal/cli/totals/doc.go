// Package totals prints the summary of a replay.
package totals
