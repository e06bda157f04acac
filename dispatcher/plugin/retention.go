package plugin

import (
	"sync"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/matching"
)

// origin is one of the origins of a plugin's webhooks.
type origin uint8

const (
	fromAPI origin = iota
	fromManifests
	originCount
)

// connectionRetention tells a client which webhooks are in force, so that it
// closes connections to others. It holds the latest snapshot of each origin,
// because these change independently. The zero value has none.
type connectionRetention struct {
	mu     sync.Mutex
	latest [originCount]*matching.Snapshot
}

// update replaces the snapshot of an origin and closes the connections to
// webhooks that are in no snapshot any more.
func (r *connectionRetention) update(c *client.Client, from origin, s *matching.Snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latest[from] = s
	c.Retain(r.webhooks)
}

// webhooks yields the webhooks of all snapshots.
func (r *connectionRetention) webhooks(yield func(*admission.Webhook) bool) {
	for _, s := range r.latest {
		if s == nil {
			continue
		}
		for w := range s.All() {
			if !yield(w) {
				return
			}
		}
	}
}
