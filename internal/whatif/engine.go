package whatif

import (
	"context"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/replay"
)

// Engine admits requests by one set of webhooks and policies. It is safe for
// concurrent use.
type Engine interface {
	// Admit admits a request. The error ends the comparison; why a request cannot be
	// admitted is in the result.
	Admit(ctx context.Context, e *corpus.Entry) (*Outcome, error)
	// Close closes connections.
	Close()
}

// Outcome is how a request ended.
type Outcome struct {
	Result *replay.Result
	// Explain explains it. The explanation of a request that cannot be simulated is
	// empty.
	Explain func(...explain.Option) *explain.Explanation
}

// Builder returns an engine for the documents of a set. The error is for documents
// that an API server would refuse.
type Builder func(documents []*manifest.Document) (Engine, error)
