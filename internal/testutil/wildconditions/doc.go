// Package wildconditions has match conditions as people write them: the CEL
// expressions of public projects, each with its source.
package wildconditions
