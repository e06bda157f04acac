package replay

import (
	"context"
	"iter"
	"sync"

	"example.com/gatehouse/dispatcher/corpus"
)

// pending is an entry that is admitted. result or err is set when done is closed.
type pending struct {
	result *Result
	err    error
	done   chan struct{}
}

// Replay admits entries, as many at a time as the session permits, and calls each
// with the results in the order of the entries. It returns the first error of the
// entries or of each, or that of ctx; results of earlier entries were passed to
// each then. Few entries are held at a time, however many there are.
func (e *Engine) Replay(
	ctx context.Context, entries iter.Seq2[*corpus.Entry, error], each func(*Result) error,
) error {
	running, cancel := context.WithCancel(ctx)
	// The one that is reported next is in the queue no more.
	queue := make(chan *pending, e.session.Parallel()-1)
	var all sync.WaitGroup
	all.Go(func() {
		defer close(queue)
		e.start(running, entries, queue, &all)
	})
	defer all.Wait()
	defer cancel()
	for p := range queue {
		<-p.done
		if p.err != nil {
			return p.err
		}
		if err := each(p.result); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// start starts to admit each entry when there is room in the queue.
func (e *Engine) start(
	ctx context.Context, entries iter.Seq2[*corpus.Entry, error], queue chan<- *pending,
	all *sync.WaitGroup,
) {
	for entry, err := range entries {
		p := &pending{err: err, done: make(chan struct{})}
		select {
		case queue <- p:
		case <-ctx.Done():
			return
		}
		if err != nil {
			close(p.done)
			return
		}
		all.Go(func() {
			defer close(p.done)
			p.result, _, p.err = e.Admit(ctx, entry)
		})
	}
}
