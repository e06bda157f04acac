package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/dispatcher/plugin"
)

// workload is a cluster with webhooks and a request, over and over.
type workload struct {
	// webhooks are the configurations.
	webhooks []runtime.Object
	answers  answers
	// pause is how long webhooks take to answer.
	pause   time.Duration
	request func() request
	enter   enter
	// options are gatehouse's.
	options []plugin.Option
	// calls is the expected number of calls per request; another number is an
	// error.
	calls int
}

// lane is one side of a workload.
type lane struct {
	side     side
	chain    *chain
	recorder bodyRecorder
	work     *workload
}

// serve takes one request through the side.
func (l *lane) serve(ctx context.Context, r request) error {
	if err := l.work.enter(ctx, l.chain, r); err != nil {
		return fmt.Errorf("%s refuses a request: %w", l.side, err)
	}
	return nil
}

// openWorkload is a workload with both sides started in one cluster.
type openWorkload struct {
	cluster *cluster
	lanes   map[side]*lane
}

// open opens the workload with webhooks in memory, and checks it.
func (w *workload) open(ctx context.Context) (*openWorkload, error) {
	return w.openWith(ctx, func() (route, bodyRecorder) {
		m := newMemory(w.answers, w.pause)
		return route{transport: m, options: w.options}, m
	})
}

// openWith opens the workload, calling reach for the route of each side, and
// checks that both sides do the same.
func (w *workload) openWith(
	ctx context.Context, reach func() (route, bodyRecorder),
) (*openWorkload, error) {
	c, err := newCluster(ctx, append([]runtime.Object{home()}, w.webhooks...))
	if err != nil {
		return nil, err
	}
	p := &openWorkload{cluster: c, lanes: map[side]*lane{}}
	for _, s := range both() {
		way, recorder := reach()
		opened, err := c.open(ctx, s, way)
		if err != nil {
			c.close()
			return nil, err
		}
		p.lanes[s] = &lane{side: s, chain: opened, recorder: recorder, work: w}
	}
	if err := p.check(ctx); err != nil {
		c.close()
		return nil, err
	}
	return p, nil
}

func (p *openWorkload) close() { p.cluster.close() }

// timed is a bench that measures time and memory of one request after the
// other.
func (w *workload) timed(sides ...side) func(context.Context, *settings) (*bench, error) {
	return func(ctx context.Context, s *settings) (*bench, error) {
		p, err := w.open(ctx)
		if err != nil {
			return nil, err
		}
		m, err := newMeter(ctx, s.span, p.lanes, sides)
		if err != nil {
			p.close()
			return nil, err
		}
		return &bench{sides: sides, close: p.close,
			measure: func(ctx context.Context, one side) (sample, error) {
				return m.measure(ctx, p.lanes[one])
			}}, nil
	}
}
