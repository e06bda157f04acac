package lifecycle

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

const (
	// portions is the number of parts of the reviews. The check measures the memory
	// after each part. The warmUp parts before them fill what a process allocates
	// only once, such as caches and the heap of a garbage collector.
	portions, warmUp = 10, 2
	// compared is the number of measurements at either end that are compared.
	compared = 3
	// tolerated is the growth that can be due to chance, in bytes.
	tolerated = 8 << 20
)

// keepsMemory compares the memory of the first process at the beginning of many
// reviews with that at the end: the maximum of the first measurements with the
// minimum of the last ones, so that temporary memory does not count as growth.
func (l *Launcher) keepsMemory(ctx context.Context, c *probe.Collection, r *check.Record) {
	questions := questionsOf(c, r)
	if len(questions) == 0 {
		return
	}
	if _, err := l.first.Memory(); err != nil {
		r.Missing("the memory of a process cannot be measured on this system: %v", err)
		return
	}
	client := newClient(l.first.Address(), nil)
	defer client.CloseIdleConnections()
	portion := max(l.exec.Reviews/portions, 1)
	var measured []int64
	for i := range warmUp + portions {
		l.askMany(ctx, questions, probe.RawRequest{Client: client, Wait: l.exec.Timeout}, portion)
		memory, err := l.first.Memory()
		if err != nil || ctx.Err() != nil {
			r.Missing("the memory of the process cannot be measured: %v", err)
			return
		}
		if i >= warmUp {
			measured = append(measured, memory)
		}
	}
	r.Checked()
	first, last := slices.Max(measured[:compared]), slices.Min(measured[portions-compared:])
	r.Note("%.1f MiB after %d reviews, and %.1f MiB after %d", mebibytes(measured[0]), (warmUp+1)*portion,
		mebibytes(measured[portions-1]), (warmUp+portions)*portion)
	if between := int64(portions-compared) * int64(portion); last-first > tolerated {
		r.Add(check.Finding{}, "%d reviews leave %.1f MiB behind, %d bytes each: the process has %.1f MiB in the end",
			between, mebibytes(last-first), (last-first)/between, mebibytes(last))
	}
}

func mebibytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// askMany sends a number of reviews, from several clients.
func (l *Launcher) askMany(ctx context.Context, questions []question, how probe.RawRequest, n int) {
	var sent atomic.Int64
	var senders sync.WaitGroup
	for range callers {
		senders.Go(func() {
			for i := sent.Add(1) - 1; i < int64(n) && ctx.Err() == nil; i = sent.Add(1) - 1 {
				_ = questions[int(i)%len(questions)].ask(ctx, how)
			}
		})
	}
	senders.Wait()
}
