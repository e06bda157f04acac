package whatif

import (
	"context"
	"io"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/replay"
)

// Replaying returns a builder of engines with the options, whose session has the
// documents in place of its files. The engines print no notices, because there are many
// engines.
func Replaying(o *replay.Options) Builder {
	return func(documents []*manifest.Document) (Engine, error) {
		session, options := *o.Session, *o
		session.Configs, session.Inline, session.Stderr = nil, documents, io.Discard
		options.Session = &session
		engine, err := replay.New(&options)
		if err != nil {
			return nil, err
		}
		return replaying{engine}, nil
	}
}

// replaying is a replay.Engine.
type replaying struct{ *replay.Engine }

// Admit implements Engine.
func (r replaying) Admit(ctx context.Context, e *corpus.Entry) (*Outcome, error) {
	result, admitted, err := r.Engine.Admit(ctx, e)
	if err != nil {
		return nil, err
	}
	return &Outcome{result, func(options ...explain.Option) *explain.Explanation {
		if admitted == nil {
			return &explain.Explanation{}
		}
		return admitted.Explain(options...)
	}}, nil
}
