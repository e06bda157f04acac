package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := execute(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

// errInterrupted ends a run that was not left to its end.
var errInterrupted = errors.New("interrupted")

// execute does what the arguments say.
func execute(ctx context.Context, arguments []string, out, progress io.Writer) error {
	s := settings{}
	flags := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.StringVar(&s.command, "go", "go", "go's command")
	flags.StringVar(&s.folder, "folder", ".", "folder of the module")
	flags.StringVar(&s.time, "time", "60s", "how long each target is run, or how often: 1000x")
	flags.IntVar(&s.parallel, "parallel", 2, "number of workers")
	pattern := flags.String("targets", ".*",
		"regular expression of the targets to run, such as internal/engine/patch.FuzzApply")
	only := flags.Bool("list", false, "print the targets and run none")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unknown argument %q", flags.Arg(0))
	}
	chosen, err := s.choose(ctx, *pattern)
	if err != nil {
		return err
	}
	if *only {
		return printAll(out, chosen)
	}
	return s.runAll(ctx, chosen, out, progress)
}

// choose returns the targets that a pattern matches, at least one.
func (s *settings) choose(ctx context.Context, pattern string) ([]target, error) {
	matches, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("-targets: %w", err)
	}
	all, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	chosen := slices.DeleteFunc(all, func(t target) bool { return !matches.MatchString(t.String()) })
	if len(chosen) == 0 {
		return nil, errors.New("-targets selects no target")
	}
	return chosen, nil
}

func printAll(out io.Writer, targets []target) error {
	for _, t := range targets {
		if _, err := fmt.Fprintln(out, t); err != nil {
			return err
		}
	}
	return nil
}

// runAll runs the targets and prints the table. A finding does not keep those
// that follow from being run.
func (s *settings) runAll(ctx context.Context, targets []target, out, progress io.Writer) error {
	var results []result
	for i, t := range targets {
		if ctx.Err() != nil {
			break
		}
		if _, err := fmt.Fprintf(progress, "%d of %d: %v\n", i+1, len(targets), t); err != nil {
			return err
		}
		results = append(results, s.run(ctx, t, progress))
	}
	findings, err := report(out, results)
	switch {
	case err != nil:
		return err
	case findings > 0:
		return fmt.Errorf("%d of %d targets have a finding", findings, len(results))
	case ctx.Err() != nil:
		return errInterrupted
	}
	return nil
}
