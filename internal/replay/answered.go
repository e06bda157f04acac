package replay

import (
	"strings"
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
	// digests has corpus.Asked of reviews without their uids: several webhooks
	// receive the same.
	digests map[string]string
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
	key := strings.Replace(string(review), uid, "", 1)
	a.mu.Lock()
	defer a.mu.Unlock()
	if digest, ok := a.digests[key]; ok {
		return digest, nil
	}
	digest, err := corpus.Asked(review)
	if err != nil {
		return "", err
	}
	if a.digests == nil {
		a.digests = map[string]string{}
	}
	a.digests[key] = digest
	return digest, nil
}
