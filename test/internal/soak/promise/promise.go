package promise

import (
	"context"
	"fmt"
)

// Promise is something that gatehouse guarantees, whatever a webhook does.
type Promise struct {
	// Name is a word or two, joined by hyphens. It is unique in All.
	Name string
	// Says is the promise as a sentence.
	Says string
	// Check finds out whether a side keeps the promise. It returns nil if it
	// does, a *Broken if it does not, and any other error if that could not be
	// found out. It ends in a bounded time, also if the side never does, and
	// leaves as little as possible behind. Checks may run at the same time.
	Check func(ctx context.Context, s Side) error
}

// All returns the promises, in the order in which reports list them.
func All() []Promise {
	return []Promise{
		pausedLister(), Bursts(DefaultBursts), readiness(), clientErrors(), oldConnections(),
		switchingProtocols(), endlessBody(), gzipBomb(), headers(), retryAfter(), goAway(),
		redirects(), currentContext(),
		patchPanics(), copyBomb(), patchDeadline(), panics(),
		statusCode(), denialMessage(), warnings(), longWarnings(), controlCharacters(),
		annotations(), errorContent(),
		firstDenial(), requestOver(), refusedObject(),
	}
}

// Broken is the error of a check whose promise is broken.
type Broken struct {
	// Evidence is what was observed.
	Evidence string
}

// Error returns the evidence.
func (b *Broken) Error() string { return b.Evidence }

func broken(format string, args ...any) error {
	return &Broken{fmt.Sprintf(format, args...)}
}
