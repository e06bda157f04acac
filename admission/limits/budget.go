package limits

import (
	"fmt"
	"sync/atomic"
)

// defaultBudget is the size of the zero Budget: 32 bodies of the largest size.
const defaultBudget = 256 << 20

// Budget is an amount of memory that several calls share. Reserve fails at once
// if too little is left: calls that hold a part of the budget and wait for each
// other would deadlock. The zero Budget has 256 MiB and is ready for use; do
// not copy it.
type Budget struct {
	size int
	used atomic.Int64
}

// NewBudget returns a budget of a size in bytes; 0 means the default.
func NewBudget(size int) *Budget { return &Budget{size: size} }

// Size returns the size of the budget in bytes.
func (b *Budget) Size() int {
	if b.size == 0 {
		return defaultBudget
	}
	return b.size
}

// Used returns the number of reserved bytes.
func (b *Budget) Used() int { return int(b.used.Load()) }

// Reserve reserves n bytes. If fewer are left, it reserves none and returns an
// error that wraps an *Error.
func (b *Budget) Reserve(n int) error {
	size := int64(b.Size())
	for {
		// Adding first and subtracting an excess later would meanwhile refuse
		// calls that fit.
		used := b.used.Load()
		if int64(n) > size-used {
			return fmt.Errorf("responses of all calls in flight: %w", Bytes("Budget", int(size)))
		}
		if b.used.CompareAndSwap(used, used+int64(n)) {
			return nil
		}
	}
}

// Release releases n reserved bytes. It panics if fewer are reserved, which is
// a mistake of the caller.
func (b *Budget) Release(n int) {
	if b.used.Add(-int64(n)) < 0 {
		panic(fmt.Sprintf("limits: %d bytes were released that had not been reserved; release what was reserved, once", n))
	}
}
