package merge

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/totals"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/replay/results"
)

// The texts of --help.
const (
	help = `Put the results of all shards of a replay into one file, sorted by the IDs of the requests.
The file is the same for any number of shards. It has one result per line, as JSON.

If shards are missing, not complete or of another replay, the command names them and writes no
file. Its memory does not depend on the number of results; the folder of the file needs twice
the size of the file.

The exit status is 0 if the file is written, 2 if the command line or the results are wrong,
and 3 if gatehouse itself failed.`

	examples = `  # The shards that 'gatehouse replay --shard I/N -o results/' has written
  gatehouse merge results/ -o all.jsonl

  # The requests that were denied
  jq -c 'select(.allowed | not) | [.id, .request, .status.message]' all.jsonl`
)

// The values of --duplicates.
const (
	refuse = "refuse"
	keep   = "keep"
)

// New returns the command.
func New() *cobra.Command {
	o := &results.MergeOptions{}
	summary, duplicates := totals.Text, refuse
	cmd := &cobra.Command{
		Use:     "merge RESULTS... -o FILE",
		Short:   "Combine the results of the shards of a replay",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	f.StringVarP(&o.Output, "output", "o", "", "`file` for the results, which must not exist; required")
	f.StringVar(&duplicates, "duplicates", duplicates,
		"what to do with requests that have the same ID: refuse or keep")
	totals.AddFlag(f, &summary)
	complete.Values(cmd, "duplicates", refuse, keep)
	complete.Values(cmd, "summary", totals.Text, totals.JSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.Paths, o.KeepDuplicates = args, duplicates == keep
		if err := check(o, duplicates, summary); err != nil {
			return &message.UsageError{Err: err}
		}
		return run(cmd, o, summary)
	}
	return cmd
}

// check returns a mistake in the command line.
func check(o *results.MergeOptions, duplicates, summary string) error {
	switch {
	case len(o.Paths) == 0:
		return errors.New("nothing to merge: give the folder or the files with the results of all shards")
	case o.Output == "":
		return errors.New("--output is required: the file for the results")
	case duplicates != refuse && duplicates != keep:
		return fmt.Errorf("--duplicates %q: want refuse or keep", duplicates)
	}
	return totals.Check(summary)
}

func run(cmd *cobra.Command, o *results.MergeOptions, summary string) error {
	var done, all atomic.Int64
	o.Progress = func(n, of int) {
		done.Store(int64(n))
		all.Store(int64(of))
	}
	progress := command.NewProgress(cmd.ErrOrStderr(), time.Now(), func() string {
		return fmt.Sprintf("%d of %d results read", done.Load(), all.Load())
	})
	end := progress.Watch()
	s, err := results.Merge(cmd.Context(), o)
	end()
	progress.End()
	if err != nil {
		return err
	}
	return totals.Write(cmd.OutOrStdout(), summary, s)
}
