package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/gatehouse/test/soak/churn"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// result is what every mode ends with.
type result interface {
	Print(io.Writer)
	Violations() []string
}

// The codes to exit with.
const (
	kept    = 0
	broken  = 1
	unknown = 2
)

func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.SetOutput(stderr)
	mode := flags.String("mode", "churn", "what to do: churn")
	duration := flags.Duration("duration", 0, "how long; 0 for as long as the mode needs")
	seed := flags.Uint64("seed", uint64(time.Now().UnixNano()), "of the sequence of changes")
	if err := flags.Parse(arguments); err != nil {
		return unknown
	}
	if flags.NArg() > 0 || *duration < 0 {
		_, _ = fmt.Fprintln(stderr, "soak takes flags alone, and no negative duration")
		return unknown
	}
	var r result
	var err error
	switch *mode {
	case "churn":
		r, err = churn.Run(ctx, churn.Options{Duration: *duration, Seed: *seed})
	default:
		err = fmt.Errorf("there is no mode %q", *mode)
	}
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "soak:", err)
		return unknown
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
