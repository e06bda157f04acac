package diff

import (
	"cmp"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/equivalence"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

// equate compares the sets of the first two arguments: by the requests of the corpus
// in the other arguments, if there is one, and then as gatehouse equivalent does.
func (o *options) equate(cmd *cobra.Command, args []string) error {
	o.search.Output = o.output
	switch {
	case len(o.before) > 0 || len(o.after) > 0:
		return usageError("--equivalent takes the sets from the arguments, not from --before and --after")
	case o.example != "":
		return usageError("--example explains a request of --before and --after, not of --equivalent")
	case len(args) < 2:
		return usageError("--equivalent: want two files or folders, and optionally a corpus")
	case len(args) > 2 && o.output != textForm:
		return usageError("--equivalent with a corpus prints text only")
	case len(args) > 2 && slices.Contains(args[:2], "-"):
		return usageError(`--equivalent with a corpus reads each set twice: "-" cannot be one`)
	}
	if err := cmp.Or(o.search.Check(), flags.CheckStdin(args)); err != nil {
		return &message.UsageError{Err: err}
	}
	o.before, o.after, o.corpus = args[:1], args[1:2], args[2:]
	o.session.Stdin, o.session.Stderr = cmd.InOrStdin(), cmd.ErrOrStderr()
	differs, err := o.equateCorpus(cmd)
	if err != nil {
		return err
	}
	err = o.search.Run(cmd, o.side(args[0]), o.side(args[1]))
	if err == nil && differs {
		return message.ErrDenied
	}
	return err
}

// equateCorpus compares the requests of the corpus, if there is one.
func (o *options) equateCorpus(cmd *cobra.Command) (differs bool, err error) {
	if len(o.corpus) == 0 {
		return false, nil
	}
	if err := o.check(cmd.Flags()); err != nil {
		return false, &message.UsageError{Err: err}
	}
	err = o.run(cmd)
	if errors.Is(err, message.ErrDenied) {
		return true, nil
	}
	return false, err
}

func (o *options) side(file string) equivalence.Side {
	s := *o.session
	s.Configs = []string{file}
	return equivalence.Side{Name: file, Options: &s}
}

func usageError(text string) error { return &message.UsageError{Err: errors.New(text)} }
