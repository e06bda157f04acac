package tally

import (
	"math"
	"math/bits"
	"sync/atomic"
	"time"
)

const (
	// fine is how many buckets there are to a doubling: one is then less than 2
	// % of what is in it.
	fine = 1 << fineBits
	// fineBits is the logarithm of fine.
	fineBits = 6
	// buckets cover all that a time.Duration can be from 0 on.
	buckets = (64 - fineBits) * fine
)

// Durations are durations of which quantiles are wanted. A sample of them would
// know little of those that are rare; this keeps a count for every bucket of
// similar ones instead. The zero value is empty; it must not be copied.
type Durations struct {
	counts  [buckets]atomic.Int64
	count   atomic.Int64
	longest atomic.Int64
}

// Add counts a duration. Negative ones count as 0.
func (d *Durations) Add(one time.Duration) {
	n := int64(max(one, 0))
	d.counts[bucket(uint64(n))].Add(1)
	d.count.Add(1)
	for {
		longest := d.longest.Load()
		if n <= longest || d.longest.CompareAndSwap(longest, n) {
			return
		}
	}
}

// Count is how many were added.
func (d *Durations) Count() int { return int(d.count.Load()) }

// Longest is the longest of all, exactly; 0 if there are none.
func (d *Durations) Longest() time.Duration { return time.Duration(d.longest.Load()) }

// Quantile returns what at least the share q of all durations do not exceed. It
// is the upper end of a bucket, so that it is never too small, and at most 2 %
// too large. It is 0 if there are none.
func (d *Durations) Quantile(q float64) time.Duration {
	rank := max(1, int64(math.Ceil(q*float64(d.count.Load()))))
	seen := int64(0)
	for i := range d.counts {
		if seen += d.counts[i].Load(); seen >= rank {
			return min(time.Duration(last(i)), d.Longest())
		}
	}
	return d.Longest()
}

// bucket is where a number belongs: small ones have a bucket each; of larger
// ones the highest bits count.
func bucket(n uint64) int {
	if n < fine {
		return int(n)
	}
	shift := bits.Len64(n) - fineBits - 1
	return shift*fine + int(n>>shift)
}

// last is the largest number in a bucket.
func last(bucket int) uint64 {
	if bucket < 2*fine {
		return uint64(bucket)
	}
	shift := bucket/fine - 1
	return (uint64(bucket-shift*fine)+1)<<shift - 1
}
