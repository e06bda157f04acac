package lint

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/rules"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

type options struct {
	files     []string
	recursive bool
	stdin     io.Reader
}

// New returns the command.
func New() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "lint -f FILES...", Short: "Find configurations that endanger a cluster, with requests that prove it",
		Args: cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	f.StringArrayVarP(&o.files, "filename", "f", nil, "`file` or folder that describes the cluster, or -; repeatable")
	f.BoolVarP(&o.recursive, "recursive", "R", false, flags.Recursive)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.files = append(o.files, args...)
		o.stdin = cmd.InOrStdin()
		if len(o.files) == 0 {
			return &message.UsageError{Err: errors.New("nothing to lint: give files, folders or -")}
		}
		in, err := inventory.Read(inventory.Files{Paths: o.files, Stdin: o.stdin, Recursive: o.recursive})
		if err != nil {
			return &message.InputError{Err: err}
		}
		defer in.Close()
		c, err := lint.NewCluster(cmd.Context(), in, time.Now(), nil)
		if err != nil {
			return err
		}
		report, err := lint.Run(c, rules.All())
		if err != nil {
			return err
		}
		out := cmd.OutOrStdout()
		for _, f := range report.Findings {
			fmt.Fprintf(out, "%s: %s: %s: %s: %s\n", f.Position(), f.Rule.Level, f.Rule.ID, f.Subject, f.Message)
			for _, e := range f.Evidence {
				fmt.Fprintf(out, "    %s\n", e)
			}
			for i, w := range f.Witnesses {
				if i == 3 {
					fmt.Fprintf(out, "    and %d more\n", len(f.Witnesses)-i)
					break
				}
				fmt.Fprintf(out, "    %s: %s %s: %s\n", w.Request.ID, w.Request.Does, w.Outcome.Effect, w.Outcome.Message)
			}
		}
		if len(report.Findings) > 0 {
			return message.ErrDenied
		}
		return nil
	}
	return cmd
}
