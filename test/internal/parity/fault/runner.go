package fault

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/parity/harness"
)

// Runner sends requests. Make one with NewRunner. It must not be used by two at
// the same time, because apiserver's metrics are global, unless it is Blind.
type Runner struct {
	oracle harness.Oracle
	kinds  harness.Kinds
	blind  bool
}

// Blind returns a Runner that does not look at metrics.
func (r *Runner) Blind() *Runner {
	blind := *r
	blind.blind = true
	return &blind
}

// NewRunner makes a Runner. It takes the metrics of Go and of the process out
// of apiserver's global registry.
func NewRunner(oracle harness.Oracle) (*Runner, error) {
	kinds, err := harness.NewKinds()
	if err != nil {
		return nil, err
	}
	harness.WithoutRuntimeMetrics()
	return &Runner{oracle: oracle, kinds: kinds}, nil
}

// Carrier makes a server: faultserver.InMemory or faultserver.Listen.
type Carrier func(faultserver.Script) (*faultserver.Server, error)

// Run takes a row's request through one side, and returns when everything that
// it started has ended. The limit is how long the last request may have taken:
// the deadline of the request, or all the timeouts of the webhooks that are
// called one after the other; upstream has none. Metrics are those of the last
// request; apiserver's are set to zero before each. In a bubble of
// testing/synctest the time is virtual.
func (r *Runner) Run(
	ctx context.Context, row *Row, c Combination, side harness.Side, carry Carrier,
) (outcome Outcome, limit time.Duration, err error) {
	outcome, limit, err = r.run(ctx, row, c, side, carry)
	if err != nil {
		return Outcome{}, 0, fmt.Errorf("%s, %s, %s: %w", row.ID, c, side, err)
	}
	if side == harness.Upstream {
		limit = math.MaxInt64
	}
	return outcome, limit, nil
}

func (r *Runner) run(
	ctx context.Context, row *Row, c Combination, side harness.Side, carry Carrier,
) (o Outcome, limit time.Duration, err error) {
	server, err := carry(row.Script.Script)
	if err != nil {
		return o, limit, err
	}
	h, err := r.open(ctx, row, c, side, server)
	if err != nil {
		return o, limit, errors.Join(err, server.Close())
	}
	for i := range max(1, row.Setup.Requests) {
		if i > 0 {
			time.Sleep(row.Setup.Pause.Duration)
		}
		if o, limit, err = h.send(ctx); err != nil {
			break
		}
		if i == 0 {
			err = h.writeLate()
		}
	}
	if side == harness.Upstream && row.Setup.Resolver == "panic" {
		time.Sleep(clientTimeout) // so long a timer of net/http outlives a panic below it
	}
	o.observe(server)
	err = errors.Join(err, h.close(), server.Close())
	o.Problems = problems(server) // a step may come after the answer
	return o, limit, err
}

// clientTimeout is that of upstream's clients, and a second.
const clientTimeout = 31 * time.Second

// observe counts what arrived at both origins.
func (o *Outcome) observe(server *faultserver.Server) {
	record := server.Record()
	o.count(record)
	o.Connections = record.Connections
	if other := server.Other(); other != nil {
		record := other.Record()
		o.count(record)
		o.Elsewhere = record.Connections
	}
}

// problems returns the steps that could not be done at either origin.
func problems(server *faultserver.Server) []string {
	list := server.Record().Problems
	if other := server.Other(); other != nil {
		list = append(list, other.Record().Problems...)
	}
	return list
}

func (o *Outcome) count(record faultserver.Record) {
	o.Calls += len(record.Requests) + record.More
	for _, r := range record.Requests {
		for name := range r.Header {
			if name == "Authorization" || strings.HasPrefix(name, "Impersonate-") {
				o.Credentials++
			}
		}
	}
}
