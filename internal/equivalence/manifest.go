package equivalence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/message"
)

// ErrWithheld is the error of Manifest for a request of the inputs that has a Secret.
var ErrWithheld = errors.New("the request has a Secret")

// Manifest returns the request as an AdmissionRequest in YAML, with the answers as
// comments, and with its Namespace if that has labels. `gatehouse run -f` takes it beside
// the files of a side.
func (c *Counterexample) Manifest() ([]byte, error) {
	if c.Withheld {
		return nil, ErrWithheld
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# The answers differ in the %s.\n", c.Aspect)
	for i, a := range []*Answer{c.Before, c.After} {
		fmt.Fprintf(&out, "# %s: %s\n", c.Names[i], a.Verdict())
		for _, reason := range a.Reasons() {
			fmt.Fprintf(&out, "#   %s\n", reason)
		}
	}
	changes, err := c.Changes()
	if err != nil {
		return nil, err
	}
	for i := range changes {
		fmt.Fprintf(&out, "# %s\n", message.Escaped(changes[i].String()))
	}
	text, err := yaml.Marshal(c.Fields["request"])
	if err != nil {
		return nil, err
	}
	out.Write(text)
	ns := c.Namespace()
	if ns == nil {
		return out.Bytes(), nil
	}
	if text, err = json.Marshal(ns); err != nil {
		return nil, err
	}
	if text, err = yaml.JSONToYAML(text); err != nil {
		return nil, err
	}
	return append(append(out.Bytes(), "---\n"...), withoutEmpty(text)...), nil
}

// withoutEmpty removes the empty fields that Go adds to every Namespace.
func withoutEmpty(text []byte) []byte {
	return []byte(strings.NewReplacer("spec: {}\n", "", "status: {}\n", "").Replace(string(text)))
}
