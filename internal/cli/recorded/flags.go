package recorded

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/replay"
)

// The values of the flags.
const (
	Called   = "called"
	Recorded = "recorded"
	Files    = "files"
	Refuse   = "refuse"
	Skip     = "skip"
)

// Flags are the values of the flags.
type Flags struct {
	// Answers is Called or Recorded, Namespaces is Files or Recorded, and Broken is
	// Refuse or Skip.
	Answers, Namespaces, Broken string
}

// Defaults returns the values of the flags that are not given, with answers for
// --answers.
func Defaults(answers string) Flags { return Flags{answers, Files, Refuse} }

// Add adds the flags, whose values are the defaults, and --parallel.
func (f *Flags) Add(cmd *cobra.Command, o *session.Options) {
	all := cmd.Flags()
	all.StringVar(&f.Answers, "answers", f.Answers,
		"source of the `answers` of webhooks: called, or recorded in the corpus")
	all.StringVar(&f.Namespaces, "namespaces", f.Namespaces,
		"source of the `labels` of a namespace that is in files and in the corpus: files or recorded")
	all.StringVar(&f.Broken, "broken", f.Broken,
		"what to do with lines of the corpus that are not readable: refuse or skip")
	all.IntVar(&o.Parallel, "parallel", 4*runtime.GOMAXPROCS(0),
		"admit `N` requests at a time; one with --inject")
	complete.Values(cmd, "answers", Called, Recorded)
	complete.Values(cmd, "namespaces", Files, Recorded)
	complete.Values(cmd, "broken", Refuse, Skip)
}

// Check returns a mistake in the flags.
func (f *Flags) Check(o *session.Options) error {
	for _, flag := range []struct{ name, value, one, other string }{
		{"answers", f.Answers, Called, Recorded},
		{"namespaces", f.Namespaces, Files, Recorded},
		{"broken", f.Broken, Refuse, Skip},
	} {
		if flag.value != flag.one && flag.value != flag.other {
			return fmt.Errorf("--%s %q: want %s or %s", flag.name, flag.value, flag.one, flag.other)
		}
	}
	return flags.CheckParallel(o.Parallel)
}

// Engine returns the options of an engine.
func (f *Flags) Engine(o *session.Options) *replay.Options {
	return &replay.Options{
		Session: o, RecordedAnswers: f.Answers == Recorded,
		RecordedNamespaces: f.Namespaces == Recorded,
	}
}
