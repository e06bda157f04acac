package main

import (
	"bytes"
	"sync"
	"sync/atomic"
)

// bodyRecorder records the bodies that webhooks receive.
type bodyRecorder interface {
	// record starts the recording.
	record() error
	// take stops the recording and returns the bodies by host and path, those
	// of each webhook in the order of their arrival and without uids. The query
	// is left out: it has the remaining time, which depends on the load.
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
