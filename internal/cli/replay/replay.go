package replay

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/cli/cluster"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/recorded"
	"example.com/gatehouse/internal/cli/totals"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/replay/results"
)

// The texts of --help.
const (
	help = `Admit the requests of a corpus (docs/corpus.md) through the webhooks and policies of files,
and write the result of each request to a file in a folder. The command calls webhooks as
'gatehouse run' does; with --cluster it calls those of a cluster, by port-forwards and in dry
runs; and with --answers recorded it takes their answers from the corpus. The recorded verdicts
and calls have no effect on the results.

To continue an interrupted replay, run the same command again. It does not repeat a finished
replay. --shard I/N replays one of N parts; 'gatehouse merge' combines the results. For details
see docs/replay.md, and docs/scale.md for large corpora.

The exit status is 0 if all requests have a result, whatever it says, 2 if the command line
or the input is wrong, 3 if gatehouse itself failed, and 130 if it was interrupted; the results
so far are kept.`

	examples = `  # What would our new policies deny of yesterday's requests?
  gatehouse replay corpus/ -f policies/ --answers recorded -o results/

  # With a webhook that runs on this machine; the others answer as recorded
  gatehouse replay corpus/ -f config/ --answers recorded \
    --resolve policy.webhooks.svc:443:127.0.0.1:8443 --ca-file ca.crt -o results/

  # With the webhooks of the cluster, in dry runs
  gatehouse replay corpus/ -f config/ --cluster --context staging -o results/`
)

// The variables of the pods of an Indexed Job. Kubernetes sets the first one.
const (
	indexVariable = "JOB_COMPLETION_INDEX"
	countVariable = "JOB_COMPLETIONS"
)

// options are the values of the flags.
type options struct {
	session  *session.Options
	recorded recorded.Flags
	cluster  cluster.Options
	// forwards says that --cluster is given.
	forwards bool
	output   string
	shard    string
	summary  string
}

// New returns the command.
func New() *cobra.Command {
	o := &options{
		session: session.NewOptions(), recorded: recorded.Defaults(recorded.Called),
		summary: totals.Text,
	}
	cmd := &cobra.Command{
		Use:     "replay CORPUS... -f CONFIGS -o RESULTS",
		Short:   "Admit recorded requests through other webhooks and policies",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	o.session.AddClusterFlags(f)
	o.session.AddCallFlags(f)
	o.addFlags(f)
	o.recorded.Add(cmd, o.session)
	o.cluster.AddOptionalFlags(f,
		"call webhooks in the cluster of the context, or in `C` with --cluster=C")
	complete.Faults(cmd, "inject", &o.session.Configs)
	complete.Values(cmd, "summary", totals.Text, totals.JSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		shard, err := o.check(args, f)
		if err != nil {
			return &message.UsageError{Err: err}
		}
		return o.run(cmd, args, shard)
	}
	return cmd
}

func (o *options) addFlags(f *pflag.FlagSet) {
	f.StringVarP(&o.output, "output", "o", "", "`folder` for the results; required")
	f.StringVar(&o.shard, "shard", "",
		"replay the part `I/N` of the requests (default: $"+indexVariable+"/$"+countVariable+", or 0/1)")
	totals.AddFlag(f, &o.summary)
}

// check returns the shard, or a mistake in the command line.
func (o *options) check(args []string, f *pflag.FlagSet) (shard results.Shard, err error) {
	if err := o.recorded.Check(o.session); err != nil {
		return shard, err
	}
	if o.forwards, err = o.cluster.Wanted(f); err != nil {
		return shard, err
	}
	switch {
	case o.forwards && o.recorded.Answers == recorded.Recorded:
		return shard, errors.New("--cluster and --answers recorded cannot be combined")
	case len(args) == 0:
		return shard, errors.New("nothing to replay: give the files or the folder of a corpus")
	case o.output == "":
		return shard, errors.New("--output is required: the folder for the results")
	}
	if err := totals.Check(o.summary); err != nil {
		return shard, err
	}
	return o.shardOf(os.Getenv(indexVariable), os.Getenv(countVariable))
}

// shardOf returns the shard of the flag, or else that of the variables of a Job.
func (o *options) shardOf(index, count string) (results.Shard, error) {
	origin := "--shard"
	text := o.shard
	switch {
	case text != "":
	case index == "" && count == "":
		return results.Whole, nil
	case count == "":
		return results.Shard{}, fmt.Errorf("$%s is set: set $%s to the completions of the Job, too, or give --shard",
			indexVariable, countVariable)
	case index == "":
		return results.Shard{}, fmt.Errorf("$%s is set, but not $%s: is the completionMode of the Job Indexed?",
			countVariable, indexVariable)
	default:
		origin, text = "$"+indexVariable+"/$"+countVariable, index+"/"+count
	}
	shard, err := results.ParseShard(text)
	if err != nil {
		return shard, fmt.Errorf("%s %w", origin, err)
	}
	return shard, nil
}

// settings identifies the flags that decide how requests end.
func (o *options) settings(digest string) string {
	answers := o.recorded.Answers
	if o.forwards {
		answers = "cluster" // all requests are dry runs
	}
	return fmt.Sprintf("%s answers=%s namespaces=%s", digest, answers, o.recorded.Namespaces)
}
