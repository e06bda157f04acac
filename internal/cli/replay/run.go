package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/cli/recorded"
	"example.com/gatehouse/internal/cli/totals"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/portforward"
	"example.com/gatehouse/internal/replay"
	"example.com/gatehouse/internal/replay/results"
)

// run replays a shard.
func (o *options) run(cmd *cobra.Command, paths []string, shard results.Shard) error {
	progress := newProgress(cmd.ErrOrStderr())
	stderr := progress.Writer(cmd.ErrOrStderr())
	o.session.Stdin, o.session.Stderr = cmd.InOrStdin(), stderr
	engineOptions := o.recorded.Engine(o.session)
	engineOptions.Unexplained = true
	if o.forwards {
		forwarder, err := o.forwarder(cmd.Context(), stderr)
		if err != nil {
			return err
		}
		defer forwarder.Close()
		engineOptions.Cluster = forwarder
	}
	engine, err := replay.New(engineOptions)
	if err != nil {
		return err
	}
	defer engine.Close()
	defer recorded.CollectLess()()
	end := progress.begin()
	defer end()
	writer, err := o.open(cmd.Context(), engine, paths, shard)
	if err != nil {
		return err
	}
	r := &running{
		options: o, paths: paths, shard: shard, writer: writer, stderr: stderr, progress: progress,
		summary: results.NewSummary(),
	}
	err = r.replay(cmd.Context(), engine)
	kept := writer.Results()
	if err := errors.Join(err, writer.Close()); err != nil {
		if cmd.Context().Err() != nil && kept > 0 {
			end()
			message.Notice(stderr, "%s kept: run the same command again to continue", isOrAre(kept, "result"))
		}
		return err
	}
	end()
	engine.Session().PrintRemarks()
	return totals.Write(cmd.OutOrStdout(), o.summary, r.summary)
}

// forwarder returns the way to the webhooks of --cluster.
func (o *options) forwarder(
	ctx context.Context, stderr io.Writer,
) (*portforward.Forwarder, error) {
	config, err := o.cluster.Config()
	if err != nil {
		return nil, err
	}
	f, err := portforward.New(ctx, config)
	if err != nil {
		return nil, &message.InputError{Err: fmt.Errorf("the kubeconfig: %w", err)}
	}
	message.Notice(stderr, "webhooks of Services are called in the cluster of %s, in dry runs", config.Host)
	return f, nil
}

// isOrAre returns for example "1 result is" and "2 results are".
func isOrAre(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return fmt.Sprintf("%d %ss are", n, what)
}

// open opens the file of the shard.
func (o *options) open(
	ctx context.Context, engine *replay.Engine, paths []string, shard results.Shard,
) (*results.Writer, error) {
	h := results.Header{Shard: shard}
	digest, err := engine.Session().Digest()
	if err != nil {
		return nil, err
	}
	h.Settings = o.settings(digest)
	if h.Corpus, err = results.CorpusDigest(ctx, paths...); err != nil {
		return nil, err
	}
	return results.Open(o.output, h)
}

// running is a replay.
type running struct {
	*options
	paths    []string
	shard    results.Shard
	writer   *results.Writer
	stderr   io.Writer
	progress *progress
	summary  *results.Summary
	// lines is the number of lines in the corpus, broken that of the shard's lines
	// that are not readable.
	lines, broken int
}

// replay replays what the file does not have yet, and fills the summary.
func (r *running) replay(ctx context.Context, engine *replay.Engine) error {
	if end := r.writer.Finished(); end != nil {
		message.Notice(r.stderr, "shard %s is already complete", r.shard)
		r.broken = end.Broken
		return r.finish(r.addEarlier(ctx))
	}
	if n := r.writer.Results(); n > 0 {
		message.Notice(r.stderr, "continuing after %s", message.Count(n, "result"))
	}
	err := engine.Replay(ctx, r.entries(ctx), func(result *replay.Result) error {
		r.add(result)
		return r.writer.Write(result)
	})
	if err == nil && r.lines == r.broken {
		err = message.NoRequests(r.paths)
	}
	if err != nil {
		return err
	}
	return r.finish(r.writer.Finish(results.End{Lines: r.lines, Broken: r.broken}))
}

// finish completes the summary, unless there is an error.
func (r *running) finish(err error) error {
	r.summary.Broken = r.broken
	r.summary.Finish()
	return err
}

func (r *running) add(result *replay.Result) {
	r.summary.Add(result)
	r.progress.add(result)
}

// addEarlier adds the results of a complete file.
func (r *running) addEarlier(ctx context.Context) error {
	for {
		result, err := r.writer.Earlier()
		if err != nil || result == nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.add(result)
	}
}

// entries returns the entries of the shard that have no result yet. The earlier
// results are added before the first of them is returned.
func (r *running) entries(ctx context.Context) iter.Seq2[*corpus.Entry, error] {
	return func(yield func(*corpus.Entry, error) bool) {
		earlier := true
		for e, err := range corpus.ReadPart(r.shard.Part(), r.paths...) {
			r.lines++
			if err == nil {
				err = ctx.Err()
			} else if r.skips(err) {
				continue
			}
			if err == nil && e.Entry == nil {
				continue
			}
			if err == nil && earlier {
				if earlier, err = r.hasEarlier(e); earlier {
					continue
				}
			}
			if err != nil {
				yield(nil, inputError(err))
				return
			}
			if !yield(e.Entry, nil) {
				return
			}
		}
	}
}

// hasEarlier reports whether the file has the result of an entry, and adds it.
func (r *running) hasEarlier(e *corpus.Positioned) (bool, error) {
	result, err := r.writer.Earlier()
	if err != nil || result == nil {
		return false, err
	}
	if result.ID != e.ID {
		return false, fmt.Errorf("%s: the request is %s, but the results have %s at this position",
			e.Position, e.ID, result.ID)
	}
	r.add(result)
	return true, nil
}

// skips reports whether an error is that of a line that is skipped, and says so.
func (r *running) skips(err error) bool {
	const enough = 10
	var broken *corpus.LineError
	if r.options.recorded.Broken == recorded.Refuse || !errors.As(err, &broken) {
		return false
	}
	if r.broken++; r.broken <= enough {
		message.Notice(r.stderr, "skipped: %v", err)
	}
	return true
}

// inputError returns the error about the corpus.
func inputError(err error) error {
	var broken *corpus.LineError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &broken):
		err = fmt.Errorf("%w: to skip such lines, use --broken skip", err)
	}
	return message.ReadError(err)
}
