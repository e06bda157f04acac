package flags

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"example.com/gatehouse/dispatcher/explain"
)

// Recording are the flags --record and --redact.
type Recording struct {
	// Folder is the folder of the corpus; "" to record nothing.
	Folder string
	// Redact are the paths whose values are redacted. Check sets them.
	Redact []explain.Path

	redact []string
}

// Add adds the flags.
func (r *Recording) Add(f *pflag.FlagSet) {
	f.StringVar(&r.Folder, "record", "", "add the requests to the corpus in this `folder`")
	r.AddRedact(f)
}

// AddRedact adds --redact only, for a command whose output is a corpus.
func (r *Recording) AddRedact(f *pflag.FlagSet) {
	f.StringArrayVar(&r.redact, "redact", nil,
		"hide the values at this `path` in the corpus; repeatable")
}

// Check checks the flags without creating the folder.
func (r *Recording) Check(f *pflag.FlagSet) error {
	switch {
	case f.Changed("record") && r.Folder == "":
		return errors.New("--record: the name of the folder is empty")
	case f.Lookup("record") != nil && r.Folder == "" && len(r.redact) > 0:
		return errors.New("--redact needs --record")
	}
	for _, text := range r.redact {
		path, err := explain.ParsePath(text)
		if err == nil && path.String() == "" {
			err = errors.New("the path is empty")
		}
		if err != nil {
			return fmt.Errorf("--redact: %w", err)
		}
		r.Redact = append(r.Redact, path)
	}
	return nil
}
