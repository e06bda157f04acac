package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"example.com/gatehouse/test/internal/soak/bombs"
	"example.com/gatehouse/test/internal/soak/churn"
	"example.com/gatehouse/test/internal/soak/engine"
	"example.com/gatehouse/test/internal/soak/policies"
	"example.com/gatehouse/test/internal/soak/punctual"
	"example.com/gatehouse/test/internal/soak/wide"
)

func main() {
	// This may be the process in which bombs are.
	if served, err := bombs.Serve(os.Stdin, os.Stdout); served {
		if err != nil {
			fmt.Fprintln(os.Stderr, "soak:", err)
			os.Exit(unknown)
		}
		return
	}
	engine.Quiet()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second ^C does not ask
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// The codes to exit with.
const (
	kept    = 0
	broken  = 1
	unknown = 2
)

// result is what every mode ends with.
type result interface {
	Print(io.Writer)
	Violations() []string
}

// modes run a soak for a duration, where 0 is the default of the mode, with a
// seed for random choices.
var modes = map[string]func(context.Context, time.Duration, uint64) (result, error){
	"churn": func(ctx context.Context, d time.Duration, seed uint64) (result, error) {
		return churn.Run(ctx, churn.Options{Duration: d, Seed: seed})
	},
	"wide": func(ctx context.Context, d time.Duration, _ uint64) (result, error) {
		return wide.Run(ctx, wide.Options{Duration: d})
	},
	"punctual": func(ctx context.Context, d time.Duration, _ uint64) (result, error) {
		return punctual.Run(ctx, punctual.Options{Duration: d})
	},
	"policies": func(ctx context.Context, d time.Duration, seed uint64) (result, error) {
		return policies.Run(ctx, policies.Options{Duration: d, Seed: seed})
	},
	"bombs": func(ctx context.Context, d time.Duration, _ uint64) (result, error) {
		return bombs.Run(ctx, bombs.Options{Duration: d})
	},
}

func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	names := strings.Join(slices.Sorted(maps.Keys(modes)), ", ")
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.SetOutput(stderr)
	name := flags.String("mode", "churn", "what to test: "+names)
	duration := flags.Duration("duration", 0, "duration of the run; 0 is the default of the mode")
	seed := flags.Uint64("seed", uint64(time.Now().UnixNano()),
		"seed of the changes in the modes churn and policies")
	if err := flags.Parse(arguments); err != nil {
		return unknown
	}
	mode, known := modes[*name]
	switch {
	case flags.NArg() > 0:
		return fail(stderr, fmt.Errorf("unexpected argument %q", flags.Arg(0)))
	case *duration < 0:
		return fail(stderr, fmt.Errorf("-duration is %v and must not be negative", *duration))
	case !known:
		return fail(stderr, fmt.Errorf("-mode is %q and must be one of %s", *name, names))
	}
	r, err := mode(ctx, *duration, *seed)
	if err != nil {
		return fail(stderr, err)
	}
	r.Print(stdout)
	violations := r.Violations()
	for _, v := range violations {
		_, _ = fmt.Fprintln(stdout, "violation:", v)
	}
	if len(violations) > 0 {
		return broken
	}
	return kept
}

func fail(stderr io.Writer, err error) int {
	_, _ = fmt.Fprintln(stderr, "soak:", err)
	return unknown
}
