package custom

import (
	"context"
	"errors"
	"fmt"
)

const (
	// maxText is the number of bytes of text in an object: kube-apiserver
	// rejects larger requests.
	maxText = 3 << 20
	// maxWork bounds the work of all attempts at an object; a value costs
	// perValue. That is about 100,000 values, or a second.
	maxWork  = 1 << 20
	perValue = 10
)

// errLarge is the error if the object exceeds maxText.
var errLarge = fmt.Errorf("the schema wants an object of more than %d MiB", maxText>>20)

// errLong is the error if the object has too many parts, or if no string for a
// pattern was found in time.
var errLong = errors.New("the schema wants an object that takes too long to make")

// budget limits the work on an object. After the first failure every request
// fails, so that the attempt, which is discarded, ends.
type budget struct {
	ctx context.Context
	// text is left for this attempt, steps for all of them.
	text, steps int
	// err is the first failure.
	err error
}

// renew starts another attempt. It reports whether there can be one.
func (b *budget) renew() bool {
	if errors.Is(b.err, errLarge) {
		b.err = nil
	}
	b.text = maxText
	return b.work(1)
}

// work spends n steps. It reports whether they were left.
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

// fits reports whether n bytes of text are left.
func (b *budget) fits(n int) bool {
	if b.err == nil && n > b.text {
		b.err = errLarge
	}
	return b.err == nil
}

// write spends n bytes of text.
func (b *budget) write(n int) {
	if b.fits(n) {
		b.text -= n
	}
}
