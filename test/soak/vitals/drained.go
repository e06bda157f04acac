package vitals

import (
	"context"
	"fmt"
	"runtime/pprof"
	"strings"
	"time"
)

// stacksLength bounds the text about what is left: thousands of goroutines that
// were left behind are a few stacks many times over.
const stacksLength = 64 << 10

// Drained waits until there are no more goroutines and sockets than in a sample,
// but no longer than the bound or the context. The error then says how many there
// are, and has the stacks of all goroutines, the most frequent first, cut to a
// few KiB. Recorders of the caller's own have to be stopped before, unless they
// were there when the sample was taken.
func Drained(ctx context.Context, baseline Sample, bound time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	const longest = 100 * time.Millisecond
	for pause := time.Millisecond; ; pause = min(2*pause, longest) {
		now := Take()
		if now.Goroutines <= baseline.Goroutines && now.Sockets <= baseline.Sockets {
			return nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("%d goroutines and %d sockets are left, and there were %d and %d; the goroutines are:\n%s",
				now.Goroutines, now.Sockets, baseline.Goroutines, baseline.Sockets, stacks())
		}
	}
}

// stacks are those of all goroutines, equal ones once with their number.
func stacks() string {
	text := &limited{room: stacksLength}
	// It is the limit if anything that writing fails with.
	_ = pprof.Lookup("goroutine").WriteTo(text, 1)
	if text.room == 0 {
		text.WriteString("…\n")
	}
	return text.String()
}

// limited keeps the beginning of what is written.
type limited struct {
	strings.Builder
	room int
}

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	n, err := l.Builder.Write(p[:min(len(p), l.room)])
	l.room -= n
	return len(p), err
}
