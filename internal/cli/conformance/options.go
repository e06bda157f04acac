package conformance

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/conformance"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/reach"
	"example.com/gatehouse/internal/offline/resolve"
)

// The values of --output of this command.
const (
	textForm  = "text"
	junitForm = "junit"
	sarifForm = "sarif"
)

// options are the flags and arguments of the command.
type options struct {
	files, samples, resolve     []string
	caFile, url, phase, observe string
	calls                       int
	only, skip                  []string
	baseline                    string
	exec                        execution
	// anywhere allows connections to other machines.
	anywhere                 bool
	recursive, list, verbose bool
	writeBaseline            bool
	format                   string
	stdin                    io.Reader
	// stderr receives notices.
	stderr io.Writer
	// colors are those of the text.
	colors command.Palette
}

func (o *options) addFlags(f *pflag.FlagSet) {
	f.StringArrayVarP(&o.files, "filename", "f", nil,
		"`file` or folder with webhook configurations, CRDs, Namespaces and RBAC, or -; repeatable")
	f.BoolVarP(&o.recursive, "recursive", "R", false, flags.Recursive)
	f.StringArrayVar(&o.resolve, "resolve", nil,
		"connect to `HOST:PORT:ADDR[:PORT]`, as curl does; repeatable")
	flags.Anywhere(f, &o.anywhere)
	f.StringVar(&o.caFile, "ca-file", "",
		"`file` with the CA, in PEM, of webhooks that have no caBundle")
	f.StringVar(&o.url, "url", "", "`URL` of a webhook that has no configuration, in place of -f")
	f.StringVar(&o.phase, "phase", "",
		"`phase` of --url: mutating (the default) or validating")
	o.exec.addFlags(f)
	f.StringVar(&o.observe, "observe", "",
		"`URL` that shows side effects: gatehouse reads it before and after each dry run")
	f.IntVar(&o.calls, "calls", 100, "call each webhook `N` times to measure latency")
	f.StringSliceVar(&o.only, "only", nil,
		"run only checks with these `ID`s; repeatable, or with commas")
	f.StringSliceVar(&o.skip, "skip", nil,
		"run no checks with these `ID`s; repeatable, or with commas")
	f.StringVar(&o.baseline, "baseline", "",
		"`file` with accepted findings: only other findings fail")
	f.BoolVar(&o.writeBaseline, "write-baseline", false,
		"write the findings to the file of --baseline")
	f.BoolVar(&o.list, "list", false, "list the checks, and exit")
	f.StringVarP(&o.format, "output", "o", o.format, "`format`: text, json, junit or sarif")
	f.BoolVarP(&o.verbose, "verbose", "v", false,
		"also show what passed, and all requests and responses")
}

// check rejects mistakes in the flags, without opening a file.
func (o *options) check(f *pflag.FlagSet) error {
	for _, ids := range [][]string{o.only, o.skip} {
		for i := range ids {
			ids[i] = strings.ToUpper(strings.TrimSpace(ids[i]))
		}
	}
	switch o.format {
	case textForm, flags.JSON, junitForm, sarifForm:
	default:
		return fmt.Errorf("--output %q: want text, json, junit or sarif", o.format)
	}
	if o.verbose && o.format != textForm {
		return fmt.Errorf("-v has no effect on -o %s, which contains all details", o.format)
	}
	if err := o.checkIDs(); err != nil {
		return err
	}
	if o.list {
		return o.checkList(f)
	}
	return o.checkSubject(f)
}

func (o *options) checkSubject(f *pflag.FlagSet) error {
	switch {
	case len(o.files)+len(o.samples) == 0 && o.url == "":
		return errors.New("no webhook: give files or folders with -f, or --url")
	case len(o.files) > 0 && o.url != "":
		return errors.New("--url and -f cannot be combined: --url is for a webhook without a configuration")
	case o.phase != "" && o.url == "":
		return errors.New("--phase needs --url: a configuration says the phase itself")
	case o.phase != "" && o.parsePhase() == 0:
		return fmt.Errorf("--phase %q: want mutating or validating", o.phase)
	case o.calls < 1:
		return fmt.Errorf("--calls %d: want at least 1", o.calls)
	case f.Changed("observe") && o.observe == "":
		return errors.New("--observe: the URL is empty")
	case f.Changed("only") && len(o.only) == 0:
		return errors.New("--only: the list of IDs is empty")
	case o.writeBaseline && o.baseline == "":
		return errors.New("--write-baseline needs --baseline")
	case f.Changed("baseline") && o.baseline == "":
		return errors.New("--baseline: the name of the file is empty")
	}
	return o.exec.check(f)
}

// parsePhase returns 0 if there is no such phase.
func (o *options) parsePhase() admission.Phase {
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		if o.phase == phase.String() {
			return phase
		}
	}
	return 0
}

// access returns how the webhooks are reached, without the CA: conformance.Run
// reads the file, which may be a pipe.
func (o *options) access() (reach.Access, error) {
	routes, err := flags.Routes(o.resolve)
	if err != nil {
		return reach.Access{}, &message.UsageError{Err: err}
	}
	return reach.Flags(&resolve.Dialer{Routes: routes, Anywhere: o.anywhere}, nil), nil
}

func (o *options) subject(a reach.Access) conformance.Subject {
	return conformance.Subject{
		Files: o.files, Samples: o.samples, Recursive: o.recursive, URL: o.url, Phase: o.parsePhase(),
		Exec: o.exec.subject(), Resolve: o.resolve, LocalOnly: !o.anywhere, CAFile: o.caFile,
		Calls: o.calls, Only: o.only, Skip: o.skip, Stdin: o.stdin, Log: o.stderr,
		Hint: func(c *admission.Call) string {
			a.CA, _ = flags.CA(o.caFile) // Run has returned the error
			return a.Hint(c)
		},
	}
}

// form returns the function that writes the report.
func (o *options) form() func(*report.Report) ([]byte, error) {
	switch o.format {
	case flags.JSON:
		return jsonOf
	case junitForm:
		return junitOf
	case sarifForm:
		return func(r *report.Report) ([]byte,
			error) {
			return sarifOf(r, locate(slices.Concat(o.files, o.samples), o.recursive))
		}
	}
	return func(r *report.Report) ([]byte, error) { return textOf(r, o.verbose, o.colors), nil }
}
