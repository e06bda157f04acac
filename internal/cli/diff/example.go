package diff

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/whatif"
)

// explain prints the explanations of one request by both sets.
func (o *options) explain(cmd *cobra.Command) error {
	before, after, err := o.sets()
	if err != nil {
		return err
	}
	e, err := o.find()
	if err != nil {
		return err
	}
	o.session.Trace = true
	was, is, err := whatif.Admit(cmd.Context(), &whatif.Options{
		Before: before, After: after, Build: whatif.Replaying(o.recorded.Engine(o.session)),
	}, e)
	if err != nil {
		return err
	}
	colors := command.Colors(cmd, cmd.OutOrStdout())
	var out bytes.Buffer
	fmt.Fprintln(&out, "before:")
	err = writeTree(&out, was, colors)
	if err == nil {
		fmt.Fprintln(&out, "\nafter:")
		err = writeTree(&out, is, colors)
	}
	if err != nil {
		return err
	}
	return command.Write(cmd.OutOrStdout(), out.Bytes())
}

// find returns the request of --example.
func (o *options) find() (*corpus.Entry, error) {
	c := &comparison{}
	for e, err := range c.entries(o.corpus) {
		if err != nil {
			return nil, err
		}
		if e.ID == o.example {
			return e, nil
		}
	}
	return nil, &message.InputError{
		Err: fmt.Errorf("--example %q: the corpus has no such request", o.example),
	}
}

// writeTree writes the explanation of a request by a set.
func writeTree(out *bytes.Buffer, o *whatif.Outcome, colors command.Palette) error {
	if text := o.Result.Error; text != "" {
		fmt.Fprintf(out, "%s cannot be simulated: %s\n",
			message.Escaped(o.Result.Request), message.Shown(text, "  "))
		return nil
	}
	return o.Explain().Tree(out, explain.TreeOptions{Color: colors.On(), Hints: true})
}
