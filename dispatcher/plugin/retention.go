package plugin

import (
	"sync"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/matching"
)

// origin is where a plugin's webhooks come from.
type origin uint8

const (
	fromAPI origin = iota
	fromManifests
	originCount
)

// retained are the webhooks whose connections are kept: the latest of each origin,
// which change independently. The zero value has none.
type connectionRetention struct {
	mu     sync.Mutex
	latest [originCount]*matching.Snapshot
}

// update lets go of the connections to webhooks that are gone.
func (r *connectionRetention) update(c *client.Client, from origin, s *matching.Snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latest[from] = s
	c.Retain(r.webhooks)
}

// each yields all webhooks.
func (r *connectionRetention) webhooks(yield func(*admission.Webhook) bool) {
	for _, s := range r.latest {
		if s == nil {
			continue
		}
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			for _, w := range s.Webhooks(phase) {
				if !yield(w.Webhook) {
					return
				}
			}
		}
	}
}
