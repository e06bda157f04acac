package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := execute(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "ablation:", err)
		os.Exit(1)
	}
}

type settings struct {
	command, module, folder string
	// turns is how often each side of a comparison is run, and rounds how often
	// a run measures its rows.
	turns, rounds int
}

// execute does what the arguments say.
func execute(ctx context.Context, arguments []string, out io.Writer) error {
	s := settings{}
	flags := flag.NewFlagSet("ablation", flag.ContinueOnError)
	flags.StringVar(&s.command, "go", "go", "go's command")
	flags.StringVar(&s.module, "module", ".", "folder of the module")
	flags.StringVar(&s.folder, "out", "bin/ablation", "folder for the benchmark and its files")
	flags.IntVar(&s.turns, "turns", 3, "how often each side of a comparison is run")
	flags.IntVar(&s.rounds, "rounds", 3, "how often a run measures each of its rows")
	pattern := flags.String("only", ".*", "regular expression of the optimisations to measure")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	only, err := regexp.Compile("^(?:" + *pattern + ")$")
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if s.turns < 1 || s.rounds < 1 {
		return errors.New("-turns and -rounds are at least 1")
	}
	all := optimisations()
	chosen := slices.DeleteFunc(slices.Clone(all), func(o optimisation) bool { return !only.MatchString(o.name) })
	if len(chosen) == 0 {
		return errors.New("-only selects no optimisation")
	}
	if s.folder, err = filepath.Abs(s.folder); err != nil {
		return err
	}
	if err := os.MkdirAll(s.folder, 0o755); err != nil {
		return err
	}
	copies, err := os.MkdirTemp("", "ablation")
	if err != nil {
		return err
	}
	defer os.RemoveAll(copies)
	if err := s.build(ctx, all, copies); err != nil {
		return err
	}
	return s.measure(ctx, chosen, out)
}

// measure compares the optimisations and prints the table.
func (s *settings) measure(ctx context.Context, all []optimisation, out io.Writer) error {
	const head = "| optimisation | lines | row | unit | with it | without it | gain |\n|---|---|---|---|---|---|---|\n"
	if _, err := io.WriteString(out, head); err != nil {
		return err
	}
	for i := range all {
		part, err := s.table(ctx, &all[i])
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, part); err != nil {
			return err
		}
	}
	return nil
}

// table compares an optimisation and returns its part of the table.
func (s *settings) table(ctx context.Context, o *optimisation) (string, error) {
	lines, err := o.lines(s.module)
	if err != nil {
		return "", err
	}
	with, without, err := s.compare(ctx, o)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, row := range slices.Sorted(maps.Keys(with)) {
		for _, unit := range []string{"ns/op", "B/op", "allocs/op", "cpu-ns", "p99-times-longer"} {
			if a, measured := with[row][unit]; measured {
				b := without[row][unit]
				fmt.Fprintf(&text, "| %s | %d | %s | %s | %s | %s | %s |\n", o.name, lines, row, unit, a, b, gain(a, b))
			}
		}
	}
	return text.String(), nil
}

// String is the value, and the ratio to kube-apiserver's.
func (f figure) String() string {
	if f.ratio == 0 {
		return fmt.Sprintf("%.3g", f.value)
	}
	return fmt.Sprintf("%.3g (%.3g×)", f.value, f.ratio)
}

// gain is how much more it costs without the optimisation, in units of which
// less is better.
func gain(with, without figure) string {
	more := without.value / with.value
	if without.ratio != 0 {
		more = with.ratio / without.ratio
	}
	return fmt.Sprintf("%+.0f %%", 100*(more-1))
}
