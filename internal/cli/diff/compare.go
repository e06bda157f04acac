package diff

import (
	"errors"
	"iter"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/recorded"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/whatif"
	"example.com/gatehouse/internal/whatif/changes"
)

// comparison is a report, and the errors about lines of the corpus that are no requests.
type comparison struct {
	report *whatif.Report
	unread []string
}

// sets reads both sets.
func (o *options) sets() (before, after *changes.Set, err error) {
	read := func(paths []string) (set *changes.Set) {
		var problems error
		set, problems = changes.Read(changes.Files{
			Paths: paths, Stdin: o.session.Stdin, Recursive: o.session.Recursive,
		})
		err = errors.Join(err, problems)
		return set
	}
	before, after = read(o.before), read(o.after)
	if err != nil {
		err = &message.InputError{Err: err}
	}
	return before, after, err
}

// compare runs the comparison, with a line of progress.
func (o *options) compare(cmd *cobra.Command) (*comparison, error) {
	before, after, err := o.sets()
	if err != nil {
		return nil, err
	}
	var done atomic.Int64
	progress := command.NewProgress(cmd.ErrOrStderr(), time.Now(), func() string {
		return message.Count(int(done.Load()), "request") + " compared"
	})
	end := progress.Watch()
	defer progress.End()
	defer end()
	defer recorded.CollectLess()()
	compared := func() {
		if done.Add(1) == 1 { // there is something to print after ^C
			command.Draining(cmd.Context())
		}
	}
	c := &comparison{}
	c.report, err = whatif.Run(cmd.Context(), &whatif.Options{
		Before: before, After: after, Build: whatif.Replaying(o.recorded.Engine(o.session)),
		Entries:  c.entries(o.corpus),
		Repeat:   o.recorded.Answers == recorded.Called || len(o.session.Resolve) > 0,
		Parallel: o.session.Parallel, Progress: compared,
	})
	if err == nil && c.report.Requests == 0 && !c.report.Incomplete {
		err = inputError(append(c.unread, message.NoRequests(o.corpus).Error()))
	}
	return c, err
}

func inputError(lines []string) error {
	return &message.InputError{Err: errors.New(strings.Join(lines, "\n"))}
}

// maxUnread limits the lines that are named.
const maxUnread = 10

// entries returns the requests of a corpus. Lines that are none do not end it.
func (c *comparison) entries(paths []string) iter.Seq2[*corpus.Entry, error] {
	return func(yield func(*corpus.Entry, error) bool) {
		unread := 0
		for e, err := range corpus.Read(paths...) {
			var line *corpus.LineError
			if errors.As(err, &line) {
				unread++
				if unread <= maxUnread {
					c.unread = append(c.unread, err.Error())
				}
				continue
			}
			if err != nil {
				err = message.ReadError(err)
			}
			if !yield(e, err) {
				return
			}
		}
		if unread > maxUnread {
			more := message.Count(unread-maxUnread, "more line")
			c.unread = append(c.unread, more+" of the corpus could not be read")
		}
	}
}
