package equivalent

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/equivalence"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

// Text is the value of Flags.Output for people; flags.JSON is the other one.
const Text = "text"

// Flags are the flags of a comparison, for a command that has two sides. Add defines
// them.
type Flags struct {
	// Output is the format. It is no flag of Add, because the command may have one.
	Output string

	requests int
	deadline time.Duration
	seed     uint64
	aspects  []string
}

// Defaults returns the values of the flags that are not given.
func Defaults() Flags {
	return Flags{
		Output: Text, requests: 5000, deadline: 5 * time.Second,
		aspects: []string{string(equivalence.Object)},
	}
}

// Add adds the flags to a command. Their values are the defaults.
func (f *Flags) Add(cmd *cobra.Command) {
	all := cmd.Flags()
	all.IntVar(&f.requests, "requests", f.requests, "generate at most this `number` of requests")
	all.DurationVar(&f.deadline, "search-time", f.deadline,
		"search for at most this `time`; 0: until all requests are generated")
	all.Uint64Var(&f.seed, "seed", f.seed, "generate other requests for each `number`")
	all.StringSliceVar(&f.aspects, "compare", f.aspects,
		"compare these `aspects` besides the verdict: "+strings.Join(aspects(), ", "))
	complete.Values(cmd, "compare", aspects()...)
}

// aspects are the values of --compare. The verdict is compared in any case.
func aspects() []string {
	var all []string
	for _, a := range equivalence.Aspects {
		all = append(all, string(a))
	}
	return all
}

// Check returns a mistake in the flags.
func (f *Flags) Check() error {
	switch {
	case f.requests < 1:
		return fmt.Errorf("--requests %d: want at least 1", f.requests)
	case f.deadline < 0:
		return fmt.Errorf("--search-time %s: want 0 or more", f.deadline)
	case f.Output != Text && f.Output != flags.JSON:
		return fmt.Errorf("--output %q: want text or json", f.Output)
	}
	for _, a := range f.aspects {
		if !slices.Contains(aspects(), a) {
			return fmt.Errorf("--compare %q: want %s", a, strings.Join(aspects(), ", "))
		}
	}
	return nil
}

// Run compares two sides and prints the result. It returns message.ErrDenied if they
// differ or one is not deterministic, and the context's error if it was interrupted.
func (f *Flags) Run(cmd *cobra.Command, before, after equivalence.Side) error {
	o := equivalence.Options{
		Requests: f.requests, Deadline: f.deadline, Seed: f.seed, Aspects: []equivalence.Aspect{},
		// After ^C the result so far is still printed. Reads of idle pipes come before.
		Ready: func() { command.Draining(cmd.Context()) },
	}
	if f.deadline == 0 {
		o.Deadline = -1
	}
	for _, a := range f.aspects {
		o.Aspects = append(o.Aspects, equivalence.Aspect(a))
	}
	v, err := equivalence.Compare(cmd.Context(), before, after, o)
	if err != nil {
		return err
	}
	r, err := newReport(v, f)
	if err != nil {
		return err
	}
	out := r.text()
	if f.Output == flags.JSON {
		if out, err = command.Indented(r); err != nil {
			return err
		}
	}
	if err := command.Write(cmd.OutOrStdout(), out); err != nil {
		return err
	}
	switch {
	case v.Different != nil || v.Unstable != nil:
		return message.ErrDenied
	case v.Interrupted:
		return cmd.Context().Err()
	}
	return nil
}
