package promise

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"example.com/gatehouse/admission"
)

const (
	rotations = 20
	// generations is the number of generations that may have connections: the
	// last one, and one whose connections are being closed.
	generations = 2
	// perGeneration is more goroutines than one connection has.
	perGeneration = 8
)

func oldConnections() Promise {
	return Promise{
		Name: "old-connections",
		Says: "when a caBundle changes, the plugin closes the connections that use the old one, and their goroutines end",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{phase: admission.Validating, webhooks: []webhook{hook()}}
			return play(ctx, side, st, func(s *scene) error {
				if o := s.send(ctx, pod(nil)); !o.allowed() {
					return fmt.Errorf("the first request: %s", o)
				}
				return s.rotate(ctx, strconv.FormatInt(time.Now().UnixNano(), 36))
			})
		},
	}
}

// rotate makes connections for many bundles, and looks how many stay.
// Goroutines are known by a label, since others run beside these.
func (s *scene) rotate(ctx context.Context, label string) (err error) {
	pprof.Do(ctx, pprof.Labels("rotation", label), func(ctx context.Context) {
		for i := range rotations {
			another := hook(func(w *webhook) { w.ClientConfig.CABundle = []byte(strings.Repeat("\n", i+1)) })
			if err = s.configure(ctx, int64(i+1), another); err != nil {
				return
			}
			if o := s.send(ctx, pod(nil)); !o.allowed() {
				err = fmt.Errorf("rotation %d: %s", i+1, o)
				return
			}
		}
	})
	if err != nil {
		return err
	}
	var open int64
	var running int
	for deadline := time.Now().Add(
		unbearable); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		open, running = s.connections.open.Load(), labelled(label)
		if open <= generations && running <= generations*perGeneration {
			return nil
		}
	}
	return broken("%s after %d rotations %d connections were open and %d goroutines at work",
		unbearable, rotations, open, running)
}

var labelLine = regexp.MustCompile(`(?m)^(\d+) @.*\n# labels: .*"rotation":"(\w+)"`)

// labelled returns how many goroutines have a label.
func labelled(label string) (n int) {
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		return 0
	}
	for _, m := range labelLine.FindAllStringSubmatch(profile.String(), -1) {
		if count, err := strconv.Atoi(m[1]); err == nil && m[2] == label {
			n += count
		}
	}
	return n
}
