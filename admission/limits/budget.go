package limits

import (
	"fmt"
	"sync/atomic"
)

// defaultBudget is the size of the zero Budget: 32 bodies of the largest size.
const defaultBudget = 256 << 20

// Budget is an amount of memory that many share. Whoever asks for more than is
// left is refused at once: waiting for others to finish, while holding a part
// oneself, is how deadlocks are made. The zero Budget has 256 MiB and is ready
// for use; it must not be copied.
type Budget struct {
	size int
	used atomic.Int64
}

// NewBudget returns a budget of a size in bytes; 0 means the default.
func NewBudget(size int) *Budget { return &Budget{size: size} }

// Size is how much there is in all.
func (b *Budget) Size() int {
	if b.size == 0 {
		return defaultBudget
	}
	return b.size
}

// Used is how much is reserved at the moment.
func (b *Budget) Used() int { return int(b.used.Load()) }

// Reserve takes n bytes, or nothing if there are not so many left. The error then
// wraps an *Error.
func (b *Budget) Reserve(n int) error {
	size := int64(b.Size())
	for {
		// Adding first and taking back what is too much would refuse others
		// that fit.
		used := b.used.Load()
		if int64(n) > size-used {
			return fmt.Errorf("responses of all calls in flight: %w", Bytes("Budget", int(size)))
		}
		if b.used.CompareAndSwap(used, used+int64(n)) {
			return nil
		}
	}
}

// Release gives n bytes back. Giving back what was never reserved is a mistake of
// the caller's, and panics.
func (b *Budget) Release(n int) {
	if b.used.Add(-int64(n)) < 0 {
		panic(fmt.Sprintf("limits: %d bytes were released that had not been reserved; release what was reserved, once", n))
	}
}
