package review

import (
	"sync"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/session"
)

// recorder records the reviews that webhooks would receive.
type recorder struct {
	mu     sync.Mutex
	bodies map[session.WebhookName][][]byte
}

// record is the argument of session.AllowAll.
func (c *recorder) record(w *admission.Webhook, review []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bodies == nil {
		c.bodies = map[session.WebhookName][][]byte{}
	}
	h := session.NameOf(w)
	c.bodies[h] = append(c.bodies[h], review)
}

// take returns the reviews that a webhook received since the last take, and
// drops those of other webhooks.
func (c *recorder) take(h session.WebhookName) [][]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.bodies[h]
	c.bodies = nil
	return taken
}
