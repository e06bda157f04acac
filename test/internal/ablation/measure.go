package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"example.com/gatehouse/test/internal/mutant"
	"example.com/gatehouse/test/internal/processgroup"
)

// build builds the benchmark with a switch for each optimisation. Copies of the
// sources go to a folder.
func (s *settings) build(ctx context.Context, all []optimisation, copies string) error {
	overlay, err := mutant.Overlay(s.module, copies, mutants(all))
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, s.command, "build", "-overlay", overlay, "-o", s.binary(), "./test/internal/benchmark")
	command.Dir, command.Stdout, command.Stderr = s.module, os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("building the benchmark: %w", err)
	}
	return nil
}

func (s *settings) binary() string { return filepath.Join(s.folder, "benchmark") }

// figures are a row's medians on one side of a comparison, by unit.
type figures map[string]figure

// figure is a median of gatehouse, and how many times better it is than
// kube-apiserver's: 0 if that was not measured.
type figure struct{ value, ratio float64 }

// compare measures the rows of an optimisation with and without it, in turns,
// and returns the medians of the turns by row.
func (s *settings) compare(ctx context.Context, o *optimisation) (with, without map[string]figures, err error) {
	var turns [2][]map[string]figures
	for range s.turns {
		for i, name := range []string{"", o.name} {
			measured, err := s.run(ctx, name, o.rows)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", o.name, err)
			}
			turns[i] = append(turns[i], measured)
		}
	}
	return medians(turns[0]), medians(turns[1]), nil
}

// run measures rows without the named optimisation; with all if the name is
// empty.
func (s *settings) run(ctx context.Context, name, rows string) (map[string]figures, error) {
	results := filepath.Join(s.folder, "results.json")
	_ = os.Remove(results) // that of the run before
	command := exec.CommandContext(ctx, s.binary(), "-out", s.folder, "-rows", rows, "-rounds", strconv.Itoa(s.rounds))
	command.Env = append(os.Environ(), mutant.Variable+"="+name)
	processgroup.Own(command)
	defer processgroup.End(command)
	out, failure := command.CombinedOutput() // also if a row is below its floor
	text, err := os.ReadFile(results)
	if err != nil {
		return nil, fmt.Errorf("%w: %v\n%s", err, failure, out)
	}
	return parse(text)
}

// parse reads the results of a run.
func parse(text []byte) (map[string]figures, error) {
	var document struct {
		Rows []struct {
			Row     string
			Figures []struct {
				Unit             string
				Gatehouse, Ratio float64
			}
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("reading the results: %w", err)
	}
	rows := map[string]figures{}
	for _, r := range document.Rows {
		rows[r.Row] = figures{}
		for _, f := range r.Figures {
			rows[r.Row][f.Unit] = figure{f.Gatehouse, f.Ratio}
		}
	}
	return rows, nil
}

// medians returns the turn of the median, for each row and unit.
func medians(turns []map[string]figures) map[string]figures {
	result := map[string]figures{}
	for row, units := range turns[0] {
		result[row] = figures{}
		for unit := range units {
			all := make([]figure, len(turns))
			for i, t := range turns {
				all[i] = t[row][unit]
			}
			slices.SortFunc(all, func(a, b figure) int {
				return cmp.Or(cmp.Compare(a.ratio, b.ratio), cmp.Compare(a.value, b.value))
			})
			result[row][unit] = all[len(all)/2]
		}
	}
	return result
}
