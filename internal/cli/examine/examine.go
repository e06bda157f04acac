package examine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

// Inputs are the inputs of a command.
type Inputs struct{ files flags.Files }

// AddFlags adds -f and -R.
func (i *Inputs) AddFlags(cmd *cobra.Command) {
	i.files.Add(cmd.Flags(), "`file` or folder that describes the cluster, or -; repeatable")
}

// Check takes the arguments as files, too. The error is for a mistake in the flags; no
// file is opened.
func (i *Inputs) Check(args []string) error { return i.files.Take(args, "examine") }

// Cluster reads the files and runs the requests. The caller must Close the result. A
// mistake in the files is a message.InputError.
func (i *Inputs) Cluster(ctx context.Context, cmd *cobra.Command) (*lint.Cluster, error) {
	in, err := inventory.Read(inventory.Files{
		Paths: i.files.Paths, Stdin: cmd.InOrStdin(), Recursive: i.files.Recursive,
	})
	if err != nil {
		return nil, &message.InputError{Err: err}
	}
	if len(in.Webhooks)+len(in.Cluster.Policies) == 0 {
		in.Close()
		return nil, &message.InputError{
			Err: errors.New("the inputs have neither a webhook configuration nor a policy"),
		}
	}
	var done atomic.Int64
	now := time.Now()
	progress := command.NewProgress(cmd.ErrOrStderr(), now, func() string {
		return fmt.Sprintf("%s sent", message.Count(int(done.Load()), "request"))
	})
	end := progress.Watch()
	c, err := lint.NewCluster(ctx, in, now, func() { done.Add(1) })
	end()
	progress.End()
	if err != nil {
		in.Close()
	}
	return c, err
}
