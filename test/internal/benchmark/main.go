package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"k8s.io/klog/v2"
)

// errBelow ends a run in which a row is below its gate.
var errBelow = errors.New("below the gate")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := execute
	if os.Getenv(backendVariable) != "" {
		run = func(ctx context.Context, _ []string, out, _ io.Writer) error { return serveBackend(ctx, os.Stdin, out) }
	}
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
}

// execute does what the arguments say.
func execute(ctx context.Context, arguments []string, out, progress io.Writer) error {
	s, profile, err := parse(arguments, progress)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.list {
		return list(out, allRows())
	}
	// What plugins log about their webhooks is the same every time.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return fmt.Errorf("making the folder for results: %w", err)
	}
	if profile == "" {
		return s.measureAll(ctx, out, progress)
	}
	r, err := find(allRows(), profile)
	if err != nil {
		return err
	}
	return s.profile(ctx, r, out)
}

// parse returns the settings, and the row to be profiled if there is one.
func parse(arguments []string, usage io.Writer) (*settings, string, error) {
	s := newSettings()
	flags := flag.NewFlagSet("benchmark", flag.ContinueOnError)
	flags.SetOutput(usage)
	flags.IntVar(&s.rounds, "rounds", s.rounds, "how often everything is measured")
	flags.StringVar(&s.out, "out", s.out, "folder for raw samples, results and profiles")
	flags.DurationVar(&s.span, "span", s.span, "about how long one measurement in memory takes")
	flags.DurationVar(&s.window, "window", s.window, "how long one measurement under load takes")
	pattern := flags.String("rows", ".*",
		"regular expression of the rows to measure; B1 is also B1/scale, but not B10")
	flags.BoolVar(&s.list, "list", false, "print the table of all rows instead")
	profile := flags.String("profile", "",
		"row of which to write profiles instead, gatehouse's side only")
	if err := flags.Parse(arguments); err != nil {
		return nil, "", err
	}
	if flags.NArg() > 0 {
		return nil, "", fmt.Errorf("unknown argument %q", flags.Arg(0))
	}
	if s.rounds < 1 {
		return nil, "", fmt.Errorf("-rounds is %d, and one is the least", s.rounds)
	}
	var err error
	if s.rows, err = selection(*pattern); err != nil {
		return nil, "", fmt.Errorf("-rows: %w", err)
	}
	return &s, *profile, nil
}

// measureAll measures, writes the files and prints the report.
func (s *settings) measureAll(ctx context.Context, out, progress io.Writer) error {
	results, err := s.run(ctx, allRows(), progress)
	if err != nil {
		return err
	}
	if len(results) == 0 {
		return errors.New("-rows selects no row")
	}
	var lines []line
	for _, r := range results {
		lines = append(lines, newLine(r))
	}
	if err := errors.Join(writeRaw(s.out, results), writeJSON(s.out, s.rounds, lines)); err != nil {
		return err
	}
	below, err := report(out, lines)
	if err == nil && below > 0 {
		err = fmt.Errorf("%w: %d of %d rows", errBelow, below, len(lines))
	}
	return err
}
