package replay

import (
	"bytes"
	"sync"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/corpus"
)

// answered are the calls of a request that have a recorded answer.
type answered struct {
	mu sync.Mutex
	// rounds counts the calls of each webhook, and assumed has those whose answer
	// was recorded for another object.
	rounds  map[*admission.Webhook]int
	assumed map[callKey]bool
	// digests has corpus.Asked of reviews: several webhooks receive the same, but for
	// its uid.
	digests []digest
}

// digest is corpus.Asked of a review with any uid between two parts.
type digest struct {
	before, after []byte
	asked         string
}

// callKey identifies a call.
type callKey struct {
	webhook *admission.Webhook
	round   int
}

// next returns the round of the next call of a webhook. A webhook is called in the
// second round only if it was in the first.
func (a *answered) next(w *admission.Webhook) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.rounds == nil {
		a.rounds = map[*admission.Webhook]int{}
	}
	a.rounds[w]++
	return a.rounds[w] - 1
}

func (a *answered) assume(k callKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.assumed == nil {
		a.assumed = map[callKey]bool{}
	}
	a.assumed[k] = true
}

func (a *answered) isAssumed(k callKey) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.assumed[k]
}

// asked returns corpus.Asked of a review with the uid.
func (a *answered) asked(review []byte, uid string) (string, error) {
	before, after, _ := bytes.Cut(review, []byte(uid))
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, d := range a.digests {
		if bytes.Equal(d.after, after) && bytes.Equal(d.before, before) {
			return d.asked, nil
		}
	}
	asked, err := corpus.Asked(review)
	if err == nil {
		a.digests = append(a.digests, digest{before, after, asked})
	}
	return asked, err
}
