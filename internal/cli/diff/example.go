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
	"example.com/gatehouse/internal/whatif/changes"
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
	colors := command.Colors(cmd, cmd.OutOrStdout())
	for _, side := range []struct {
		name string
		set  *changes.Set
	}{{"before", before}, {"after", after}} {
		tree, err := o.tree(cmd, e, side.set, colors)
		if err != nil {
			return err
		}
		text := fmt.Appendf(nil, "%s:\n%s", side.name, tree)
		if err := command.Write(cmd.OutOrStdout(), text); err != nil {
			return err
		}
	}
	return nil
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

// tree returns the explanation of a request by a set.
func (o *options) tree(
	cmd *cobra.Command, e *corpus.Entry, set *changes.Set, colors command.Palette,
) ([]byte, error) {
	engine, err := whatif.Replaying(o.replaying())(set.Documents())
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	outcome, err := engine.Admit(cmd.Context(), e)
	if err != nil {
		return nil, err
	}
	if text := outcome.Result.Error; text != "" {
		return fmt.Appendf(nil, "%s cannot be admitted: %s\n",
			message.Escaped(outcome.Result.Request), message.Shown(text, "  ")), nil
	}
	var text bytes.Buffer
	err = outcome.Explain().Tree(&text, explain.TreeOptions{Color: colors.On(), Hints: true})
	return text.Bytes(), err
}
