package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := execute(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "flaky:", err)
		os.Exit(1)
	}
}

// errInterrupted ends a search that was not left to its end.
var errInterrupted = errors.New("interrupted")

// execute does what the arguments say: flags, and the folders of modules.
func execute(ctx context.Context, arguments []string, out, progress io.Writer) error {
	s := settings{}
	flags := flag.NewFlagSet("flaky", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.StringVar(&s.command, "go", "go", "go's command")
	flags.IntVar(&s.runs, "runs", 20, "how often the tests of each package are run")
	flags.IntVar(&s.loops, "loops", 2, "how many busy loops run beside them")
	pattern := flags.String("packages", ".",
		"regular expression of the import paths of packages to run")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	modules := flags.Args()
	if len(modules) == 0 {
		modules = []string{"."}
	}
	packages, err := s.list(ctx, modules, *pattern)
	if err != nil {
		return err
	}
	return s.runAll(ctx, packages, out, progress)
}

// runAll runs the tests of the packages and prints the table.
func (s *settings) runAll(ctx context.Context, packages []tested, out, progress io.Writer) error {
	var results []*result
	for i, p := range packages {
		if ctx.Err() != nil {
			break
		}
		_, _ = fmt.Fprintf(progress, "%d of %d: %s\n", i+1, len(packages), p.path) // the table is what counts
		r, err := s.run(ctx, p, progress)
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	failed, err := report(out, results)
	switch {
	case err != nil:
		return err
	case failed > 0:
		return fmt.Errorf("%d of %d packages failed", failed, len(results))
	case ctx.Err() != nil:
		return errInterrupted
	}
	return nil
}
