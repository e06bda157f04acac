package explain

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// The values of --output of this command.
const (
	tree = "tree"
	html = "html"
)

// view is which explanations are printed, and in which format.
type view struct {
	format string
	// webhook is the only webhook to show; empty for all.
	webhook string
	// field is the only part of the object to show, and fieldText its flag; nil
	// for everything.
	field     *explain.Path
	fieldText *string
	// redact are the paths to hide, and redactTexts their flags.
	redact          []explain.Path
	redactTexts     []string
	secrets, bodies bool
	details         bool
}

func newView() *view { return &view{format: tree} }

func (v *view) addFlags(f *pflag.FlagSet) {
	f.StringVar(&v.webhook, "webhook", "", "show one webhook only: its `name`, or CONFIGURATION/NAME")
	f.Func("field", "show only the writers at this `path`, such as spec.containers[0].image",
		func(text string) error {
			v.fieldText = &text
			return nil
		})
	f.BoolVar(&v.details, "details", false,
		"show hints for all webhooks, rounds without calls, audit annotations and metrics in the tree")
	f.BoolVar(&v.bodies, "bodies", false,
		"show requests to webhooks and responses, in -o json and yaml (html always does)")
	f.StringArrayVar(&v.redactTexts, "redact", nil,
		"hide the fields at this `path`, such as spec.containers[*].env; repeatable")
	f.BoolVar(&v.secrets, "show-secrets", false,
		"show the data of Secrets, and the fields of --redact")
	f.StringVarP(&v.format, "output", "o", v.format, "`format`: tree, json, yaml or html")
}

// parse rejects mistakes in the flags, without reading an input.
func (v *view) parse() error {
	switch v.format {
	case tree, flags.JSON, flags.YAML, html:
	default:
		return fmt.Errorf("--output %q: want tree, json, yaml or html", v.format)
	}
	switch {
	case v.bodies && v.format == tree:
		return errors.New("--bodies has no effect on a tree: want -o json, yaml or html")
	case v.details && v.format != tree:
		return errors.New("--details has no effect on json, yaml and html, which have all details: want -o tree")
	case v.details && v.fieldText != nil:
		return errors.New("--details and --field cannot be combined: --field shows fields only")
	case v.fieldText != nil && v.format == html:
		return errors.New("--field has no effect on a page, which shows all writers: want -o tree, json or yaml")
	}
	return v.parsePaths()
}

func (v *view) parsePaths() error {
	if v.fieldText != nil {
		path, err := parsePath(*v.fieldText)
		if err != nil {
			return fmt.Errorf("--field: %w", err)
		}
		v.field = &path
	}
	v.redact = nil
	for _, text := range v.redactTexts {
		path, err := parsePath(text)
		if err != nil {
			return fmt.Errorf("--redact: %w", err)
		}
		v.redact = append(v.redact, path)
	}
	return nil
}

// parsePath accepts a single dot for the whole object; an empty argument is
// probably a mistake.
func parsePath(text string) (explain.Path, error) {
	if text == "." {
		return explain.Path{}, nil
	}
	if text == "" {
		return explain.Path{}, errors.New(`the path is empty; "." is the whole object`)
	}
	return explain.ParsePath(text)
}

// check rejects an unknown webhook.
func (v *view) check(s *session.Session) error {
	if v.webhook == "" {
		return nil
	}
	if _, err := s.Webhooks(v.webhook); err != nil {
		return fmt.Errorf("--webhook: %w", err)
	}
	return nil
}

// of explains a visit, filtered by the view.
func (v *view) of(visit *session.Result) *explain.Explanation {
	options := []explain.Option{explain.Redact(v.redact...)}
	if v.secrets {
		options = append(options, explain.ShowSecrets())
	}
	if v.bodies || v.format == html {
		options = append(options, explain.WithBodies())
	}
	e := visit.Explain(options...)
	if v.webhook != "" {
		e = e.ForWebhook(v.webhook)
	}
	if v.field != nil {
		e = e.ForPath(*v.field)
	}
	return e
}
