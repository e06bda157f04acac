package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/gatehouse/internal/requests"
)

// nothing says why there is nothing to admit.
func (in *inputs) nothing() error {
	if len(in.unused) > 0 {
		return fmt.Errorf("nothing to admit: objects after -f are not admitted, give %s as an argument", in.unused[0].File)
	}
	return errors.New("nothing to admit: the arguments hold no objects")
}

// tell says what may not be what was meant. flags are those that are about objects.
func (in *inputs) tell(stderr io.Writer, flags []string) {
	for _, s := range in.unused {
		notice(stderr, "%v", s.Wrap("", fmt.Errorf("%s after -f is not admitted: objects are given as arguments", s.Kind.Kind)))
	}
	for _, s := range in.notUpdated {
		notice(stderr, "%v", s.Wrap("", fmt.Errorf("%s after --old is not used: no argument updates it", s.Kind.Kind)))
	}
	for _, s := range in.objects {
		in.tellPast(stderr, s)
	}
	in.tellUnheeded(stderr, flags)
	for _, d := range in.deprecated {
		notice(stderr, "%v", d.Wrap("apiVersion", errors.New(deprecated(d.Kind))))
	}
	if len(in.configurations) == 0 && !in.static {
		notice(stderr, "no webhook configuration is among the inputs: everything is admitted")
	}
}

// tellUnheeded says that flags are not about requests in files.
func (in *inputs) tellUnheeded(stderr io.Writer, flags []string) {
	for _, s := range in.objects {
		if s.Object == nil && len(flags) > 0 {
			notice(stderr, "%v", s.Wrap("", fmt.Errorf("%s says all about itself: without effect on it: %s", s.Kind.Kind, strings.Join(flags, ", "))))
		}
	}
}

// tellPast says that an object is of a version that clusters no longer know.
func (in *inputs) tellPast(stderr io.Writer, s requests.Source) {
	use, past := in.kinds.Past(s.Kind)
	if !past {
		return
	}
	notice(stderr, "%v", s.Wrap("apiVersion", fmt.Errorf("%s %s is no longer served by kube-apiserver: it is taken as a release that served it would, but use %s",
		s.Kind.GroupVersion(), s.Kind.Kind, use.GroupVersion())))
}
