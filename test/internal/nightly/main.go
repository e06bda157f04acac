package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"example.com/gatehouse/test/internal/processgroup"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := execute(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "nightly:", err)
		os.Exit(1)
	}
}

// execute does what the arguments say.
func execute(ctx context.Context, arguments []string, progress io.Writer) error {
	flags := flag.NewFlagSet("nightly", flag.ContinueOnError)
	command := flags.String("make", "make", "make's command")
	folder := flags.String("out", "bin/nightly", "folder for what the stages print")
	page := flags.String("page", "docs/figures.md", "page to write")
	pattern := flags.String("stages", ".*", "regular expression of the stages to run")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	chosen, err := regexp.Compile("^(" + *pattern + ")$")
	if err != nil {
		return fmt.Errorf("-stages: %w", err)
	}
	if err := os.MkdirAll(*folder, 0o755); err != nil {
		return err
	}
	where := fmt.Sprintf("on %s at commit %s, with %s on %d processors",
		time.Now().UTC().Format(time.DateOnly), commit(ctx, *page), runtime.Version(), runtime.NumCPU())
	var results []result
	for _, s := range stages() {
		if chosen.MatchString(s.name) && ctx.Err() == nil {
			r := s.run(ctx, *command, *folder)
			r.where = where
			fmt.Fprintln(progress, r.summary())
			results = append(results, r)
			if err := write(*page, &r); err != nil {
				return err
			}
		}
	}
	if len(results) == 0 {
		return errors.New("-stages selects no stage")
	}
	return failures(results)
}

// result is what became of a stage.
type result struct {
	stage
	where   string // commit and machine
	took    time.Duration
	err     error
	figures []string
}

func (r *result) summary() string {
	verdict := "ok"
	if r.err != nil {
		verdict = r.err.Error()
	}
	return fmt.Sprintf("`make %s`: %s in %v", strings.Join(r.arguments, " "), verdict,
		r.took.Round(time.Second))
}

func failures(results []result) error {
	var failed []string
	for _, r := range results {
		if r.err != nil {
			failed = append(failed, r.name)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("failed: %s", strings.Join(failed, ", "))
	}
	return nil
}

// run runs a stage and returns its figures.
func (s stage) run(ctx context.Context, command, folder string) result {
	r := result{stage: s}
	path := filepath.Join(folder, s.name+".log")
	log, err := os.Create(path)
	if err != nil {
		r.err = err
		return r
	}
	start := time.Now()
	made := exec.CommandContext(ctx, command, s.arguments...)
	made.Stdout, made.Stderr = log, log
	processgroup.Own(made)
	defer processgroup.End(made)
	r.err = errors.Join(made.Run(), log.Close())
	r.took = time.Since(start)
	figures, err := s.read(path)
	if r.err == nil && err == nil && len(figures) == 0 {
		err = errors.New("it printed no figures")
	}
	r.figures, r.err = figures, errors.Join(r.err, err)
	return r
}

// read returns the lines of a file that are figures.
func (s stage) read(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var figures []string
	lines := bufio.NewScanner(file)
	const longest = 1 << 20
	lines.Buffer(nil, longest)
	for lines.Scan() {
		if s.figures.MatchString(lines.Text()) {
			figures = append(figures, lines.Text())
		}
	}
	return figures, lines.Err()
}
