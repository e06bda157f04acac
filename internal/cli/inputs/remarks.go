package inputs

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/configuration"
	"example.com/gatehouse/internal/requests"
)

// nothing says why there is nothing to admit.
func (in *Set) nothing() error {
	if len(in.unused) > 0 {
		return fmt.Errorf("nothing to admit: objects after -f are not admitted, give %s as an argument", in.unused[0].File)
	}
	return errors.New("nothing to admit: the arguments hold no objects")
}

// Use is what became of the inputs.
type Use struct {
	// Unheeded are the flags that requests in files take no notice of.
	Unheeded []string
	// NotUpdated are those of Stored that nothing updates.
	NotUpdated []requests.Source
	// OtherWebhooks says that there are webhooks that were not among the inputs.
	OtherWebhooks bool
}

// Tell says what may not be what was meant, one notice for each thing.
func (in *Set) Tell(stderr io.Writer, use Use) {
	for _, s := range in.unused {
		command.Notice(stderr, "%v", s.Wrap("", fmt.Errorf("%s after -f is not admitted: objects are given as arguments", s.Kind.Kind)))
	}
	for _, s := range use.NotUpdated {
		command.Notice(stderr, "%v", s.Wrap("", fmt.Errorf("%s after --old is not used: no argument updates it", s.Kind.Kind)))
	}
	for _, s := range in.Objects {
		in.tellPast(stderr, s)
	}
	in.tellUnheeded(stderr, use.Unheeded)
	for _, d := range in.deprecated {
		command.Notice(stderr, "%v", d.Wrap("apiVersion", errors.New(configuration.Deprecation(d.Kind))))
	}
	if len(in.Configurations) == 0 && !use.OtherWebhooks {
		command.Notice(stderr, "no webhook configuration is among the inputs: everything is admitted")
	}
}

// tellUnheeded says that flags are not about requests in files.
func (in *Set) tellUnheeded(stderr io.Writer, flags []string) {
	for _, s := range in.Objects {
		if s.Object == nil && len(flags) > 0 {
			command.Notice(stderr, "%v", s.Wrap("", fmt.Errorf("%s says all about itself: without effect on it: %s", s.Kind.Kind, strings.Join(flags, ", "))))
		}
	}
}

// tellPast says that an object is of a version that clusters no longer know.
func (in *Set) tellPast(stderr io.Writer, s requests.Source) {
	use, past := in.kinds.Past(s.Kind)
	if !past {
		return
	}
	command.Notice(stderr, "%v", s.Wrap("apiVersion", fmt.Errorf("%s %s is no longer served by kube-apiserver: it is taken as a release that served it would, but use %s",
		s.Kind.GroupVersion(), s.Kind.Kind, use.GroupVersion())))
}
