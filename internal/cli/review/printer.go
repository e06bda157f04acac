package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// raw is the value of --output of this command.
const raw = "raw"

// form formats a review. first reports whether it is the first of the output.
type form func(body []byte, first bool) ([]byte, error)

func forms() map[string]form {
	return map[string]form{
		raw: func(body []byte, _ bool) ([]byte, error) { return body, nil },
		flags.JSON: func(body []byte, _ bool) ([]byte, error) {
			var text bytes.Buffer
			err := json.Indent(&text, body, "", "  ")
			return text.Bytes(), err
		},
		flags.YAML: func(body []byte, first bool) ([]byte, error) {
			text, err := yaml.JSONToYAML(body)
			if !first {
				text = append([]byte("---\n"), text...)
			}
			return text, err
		},
	}
}

// printer writes reviews in one form.
type printer struct {
	out     io.Writer
	form    form
	printed int
}

// print writes the reviews of a visit.
func (p *printer) print(v *session.Result, bodies [][]byte) error {
	for _, body := range bodies {
		text, err := p.form(body, p.printed == 0)
		if err != nil {
			return fmt.Errorf("printing the review of %s: %w", v.Reference(), err)
		}
		p.printed++
		if err := command.Write(p.out, text); err != nil {
			return err
		}
	}
	return nil
}
