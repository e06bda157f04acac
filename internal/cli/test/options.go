package test

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/suite"
)

// The values of --output of this command.
const (
	textForm   = "text"
	junitForm  = "junit"
	githubForm = "github"
)

// The values of --explain.
const (
	explainShort = "short"
	explainFull  = "full"
	explainNone  = "none"
)

// options are the flags and arguments of the command.
type options struct {
	// paths are the arguments: suites, or with --init samples.
	paths  []string
	run    string
	format string
	// explain is how the text explains failed cases.
	explain string

	parallel                        int
	failFast, update, list, verbose bool
	// anywhere allows connections to other machines.
	anywhere bool

	// file is the suite that --init writes; "" without it. The others belong to
	// it.
	file    string
	configs []string
	// recursive is for configs and paths.
	recursive bool
	exec      string
	resolve   []string
	caFile    string

	// selects is run, compiled; nil selects everything.
	selects *regexp.Regexp
	stdin   io.Reader
	// stderr receives notices; remarked contains the remarks about suites so
	// far.
	stderr   io.Writer
	remarked map[string]bool
	// colors are those of the text.
	colors command.Palette
}

func (o *options) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.run, "run", "", "run only the cases for which this `regexp` is found in SUITE/CASE")
	f.IntVar(&o.parallel, "parallel", 0,
		"run `N` cases at a time (default: one for each processor)")
	f.BoolVar(&o.failFast, "fail-fast", false, "stop after the first case that does not pass")
	f.BoolVar(&o.update, "update", false,
		"write the golden files of cases that otherwise pass")
	f.BoolVar(&o.list, "list", false, "list the cases, and exit")
	f.StringVarP(&o.format, "output", "o", o.format,
		"`format`: text, json, junit or github (the text, and annotations for GitHub)")
	f.StringVar(&o.explain, "explain", explainShort,
		"how the text explains failed cases: short, full or none")
	f.BoolVarP(&o.verbose, "verbose", "v", false,
		"also show what passed, and on standard error the output of commands that serve webhooks")
	flags.Anywhere(f, &o.anywhere)
	f.StringVar(&o.file, "init", "",
		"write a first suite into this `file`, from the current results of samples")
	f.StringArrayVarP(&o.configs, "filename", "f", nil,
		"`file` or folder with configurations, CRDs, Namespaces and RBAC; repeatable")
	f.BoolVarP(&o.recursive, "recursive", "R", false, flags.Recursive)
	f.StringVar(&o.exec, "exec", "",
		"shell `command` that serves the webhooks, on $PORT, certificate in $CERT_DIR")
	f.StringArrayVar(&o.resolve, "resolve", nil,
		"connect to another address, as `HOST:PORT:ADDR[:PORT]` of curl; repeatable")
	f.StringVar(&o.caFile, "ca-file", "",
		"`file` with the CA, in PEM, of webhooks that have no caBundle")
}

// check rejects mistakes in the flags, without opening a file.
func (o *options) check(f *pflag.FlagSet) error {
	switch o.format {
	case textForm, flags.JSON, junitForm, githubForm:
	default:
		return fmt.Errorf("--output %q: want text, json, junit or github", o.format)
	}
	switch o.explain {
	case explainShort, explainFull, explainNone:
	default:
		return fmt.Errorf("--explain %q: want short, full or none", o.explain)
	}
	if f.Changed("explain") && (o.format == flags.JSON || o.format == junitForm) {
		return fmt.Errorf("--explain has no effect on -o %s, which has full explanations", o.format)
	}
	if f.Changed("parallel") && o.parallel < 1 {
		return fmt.Errorf("--parallel %d: want at least 1", o.parallel)
	}
	var err error
	if o.selects, err = regexp.Compile(o.run); err != nil {
		return fmt.Errorf("--run: %w", err)
	}
	if err := flags.CheckStdin(o.paths); err != nil {
		return err
	}
	switch {
	case f.Changed("init"):
		return o.checkInit(f)
	case o.list:
		return flags.OnlyWith(f, "list", "run")
	}
	return o.checkRun(f)
}

// checkRun rejects flags that need --init.
func (o *options) checkRun(f *pflag.FlagSet) error {
	var unheeded error
	f.Visit(func(flag *pflag.Flag) {
		if slices.Contains([]string{"filename", "recursive", "exec", "resolve", "ca-file"}, flag.Name) {
			unheeded = cmp.Or(unheeded,
				fmt.Errorf("--%s needs --init: a suite has its own settings", flag.Name))
		}
	})
	return unheeded
}

// checkInit rejects input that makes no first suite.
func (o *options) checkInit(f *pflag.FlagSet) error {
	if err := flags.OnlyWith(f, "init", "filename", "recursive", "exec", "resolve", "ca-file",
		"connect-anywhere", "verbose"); err != nil {
		return err
	}
	switch {
	case !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(o.file)):
		return fmt.Errorf("--init %q: want the name of a file that ends in .yaml", o.file)
	case len(o.configs) == 0:
		return errors.New("--init: there is no webhook: give files or folders with -f")
	case slices.Contains(o.configs, "-"):
		return errors.New(`--init: the suite names the files of -f, so none can be "-"`)
	case len(o.paths) == 0:
		return errors.New("--init: there are no samples: give files, folders or - as arguments")
	case f.Changed("exec") && o.exec == "":
		return errors.New("--exec: the command is empty")
	}
	return nil
}

// suiteOptions are the options of suites.
func (o *options) suiteOptions() []suite.Option {
	if o.anywhere {
		return []suite.Option{suite.Anywhere}
	}
	return nil
}
