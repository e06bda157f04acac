package results

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Shard is a part of the requests of a corpus.
type Shard struct {
	// Index is from 0 to Count-1. Count is at least 1.
	Index, Count int
}

// Whole is the only shard of a replay that is not divided.
var Whole = Shard{Index: 0, Count: 1}

// maxShards limits Shard.Count: Merge opens all files at once.
const maxShards = 10000

// ParseShard returns the shard of the form I/N.
func ParseShard(text string) (Shard, error) {
	index, count, ok := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, wrong := strconv.Atoi(count)
	switch {
	case !ok || err != nil || wrong != nil:
		return Shard{}, fmt.Errorf("%q: want I/N, such as 0/8", text)
	case n < 1 || n > maxShards:
		return Shard{}, fmt.Errorf("%q: want 1 to %d shards", text, maxShards)
	case i < 0 || i >= n:
		return Shard{}, fmt.Errorf("%q: the shards of %d are 0 to %d", text, n, n-1)
	}
	return Shard{i, n}, nil
}

// String returns I/N.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// MarshalText returns I/N.
func (s Shard) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses I/N.
func (s *Shard) UnmarshalText(text []byte) error {
	parsed, err := ParseShard(string(text))
	*s = parsed
	return err
}

// Has reports whether the shard has the request with an ID.
func (s Shard) Has(id string) bool {
	if s.Count == 1 {
		return true
	}
	sum := sha256.Sum256([]byte(id))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.Count) == uint64(s.Index)
}

// Part returns Has for corpus.ReadPart; nil if the shard has all requests.
func (s Shard) Part() func(id string) bool {
	if s.Count == 1 {
		return nil
	}
	return s.Has
}

func (s Shard) fileName() string { return fmt.Sprintf("results-%d-of-%d.jsonl", s.Index, s.Count) }
