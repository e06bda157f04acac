package custom

import (
	"context"
	"errors"
	"fmt"
)

const (
	// largest is how much text an object may have, in bytes: kube-apiserver reads no
	// requests that are larger.
	largest = 3 << 20
	// steps is how much work all attempts at an object may be together, of which a value
	// is perValue. A hundred thousand values can be made, a second's work.
	steps    = 1 << 20
	perValue = 10
)

// errLarge says that an object has no place in a request.
var errLarge = fmt.Errorf("the schema wants an object of more than %d MiB", largest>>20)

// errLong says that an object has too many parts, or that strings for its patterns are too
// hard to find.
var errLong = errors.New("the schema wants an object that takes too long to make")

// budget is what may still be spent on an object. Once something could not be afforded,
// nothing can: what is being made is then thrown away, and only has to come to an end.
type budget struct {
	ctx context.Context
	// text is left for the attempt, and steps for all of them.
	text, steps int
	// err says what could not be afforded.
	err error
}

// renew prepares for another attempt. It reports whether there can be one.
func (b *budget) renew() bool {
	if errors.Is(b.err, errLarge) {
		b.err = nil
	}
	b.text = largest
	return b.work(1)
}

// work takes steps. It reports whether they were left.
func (b *budget) work(n int) bool {
	if b.err == nil {
		b.err = b.ctx.Err()
	}
	if b.err == nil && n > b.steps {
		b.err = errLong
	}
	if b.err == nil {
		b.steps -= n
	}
	return b.err == nil
}

// fits reports whether text of a length could be written.
func (b *budget) fits(n int) bool {
	if b.err == nil && n > b.text {
		b.err = errLarge
	}
	return b.err == nil
}

// write takes text of a length.
func (b *budget) write(n int) {
	if b.fits(n) {
		b.text -= n
	}
}
