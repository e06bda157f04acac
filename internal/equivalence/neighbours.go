package equivalence

import (
	"iter"

	"example.com/gatehouse/internal/equivalence/draw"
)

// neighbours are the cases near the seeds, in turns.
type neighbours struct {
	drawer *draw.Drawer
	// near are the cases that are left of each seed, and known how many seeds are
	// known.
	near  []pulled
	known int
	turn  int
}

// pulled is a sequence that is read one by one.
type pulled struct {
	next func() (*draw.Case, bool)
	stop func()
}

// of adds the seeds that are not known yet.
func (n *neighbours) of(seeds []*draw.Case) {
	for _, seed := range seeds[n.known:] {
		next, stop := iter.Pull(n.drawer.Neighbours(seed))
		n.near = append(n.near, pulled{next, stop})
	}
	n.known = len(seeds)
}

// next returns the next case; nil if none is left.
func (n *neighbours) next() *draw.Case {
	for len(n.near) > 0 {
		n.turn = (n.turn + 1) % len(n.near)
		if c, ok := n.near[n.turn].next(); ok {
			return c
		}
		n.near = append(n.near[:n.turn], n.near[n.turn+1:]...)
	}
	return nil
}

func (n *neighbours) stop() {
	for _, p := range n.near {
		p.stop()
	}
}
