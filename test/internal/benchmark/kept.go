package main

import (
	"bytes"
	"sync"
	"sync/atomic"
)

// witness knows what webhooks were sent.
type witness interface {
	// record has it remember what comes from now on.
	record() error
	// take returns the bodies by host and path, each webhook's in the order of
	// their arrival and without uids, and has it remember no more. The query is
	// left out: it is the time that is left, which differs under load.
	take() (map[string][]string, error)
}

// kept is the bodies that webhooks received.
type kept struct {
	keeping atomic.Bool
	mu      sync.Mutex
	bodies  map[string][]string
}

func (k *kept) wanted() bool { return k.keeping.Load() }

func (k *kept) start() { k.keeping.Store(true) }

func (k *kept) add(webhook string, r review) {
	body := string(bytes.ReplaceAll(r.body, r.uid, []byte("UID")))
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bodies == nil {
		k.bodies = map[string][]string{}
	}
	k.bodies[webhook] = append(k.bodies[webhook], body)
}

func (k *kept) take() map[string][]string {
	k.keeping.Store(false)
	k.mu.Lock()
	defer k.mu.Unlock()
	taken := k.bodies
	k.bodies = nil
	return taken
}
