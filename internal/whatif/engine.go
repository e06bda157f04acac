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
	// Admit admits a request. An error ends the comparison. If only this request cannot
	// be admitted, the result has the reason.
	Admit(ctx context.Context, e *corpus.Entry) (*Outcome, error)
	// Close closes connections.
	Close()
}

// Outcome is the outcome of a request.
type Outcome struct {
	Result *replay.Result
	// Explain explains it. The explanation of a request that cannot be simulated is
	// empty.
	Explain func(...explain.Option) *explain.Explanation
}

// Builder returns an engine for the documents of a set. The error is for documents
// that an API server would reject.
type Builder func(documents []*manifest.Document) (Engine, error)
