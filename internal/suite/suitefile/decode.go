package suitefile

import (
	"fmt"

	"example.com/gatehouse/internal/manifest"
)

// decode decodes a document strictly. It rejects unknown fields, and duplicate
// fields even in objects whose fields it does not know.
func decode(d *manifest.Document) (*AdmissionTest, error) {
	if err := checkKind(d); err != nil {
		return nil, err
	}
	file := &AdmissionTest{}
	m := &mistakes{document: d}
	for _, err := range d.RawMistakes(file, true) {
		at, _ := manifest.PositionOf(err)
		m.found = append(m.found, mistake{at.Line, err})
	}
	if err := m.join(); err != nil {
		return nil, err
	}
	return file, nil
}

// checkKind rejects documents of another kind or version.
func checkKind(d *manifest.Document) error {
	switch {
	case d.Kind.Kind != kind().Kind:
		return d.Wrap(
			"kind", fmt.Errorf("kind: %s of %s is not a %s", d.Kind.Kind, d.Kind.GroupVersion(), kind().Kind))
	case d.Kind != kind():
		return d.Wrap("apiVersion", fmt.Errorf("apiVersion: %s is unknown: want %s", d.Kind.GroupVersion(), kind().GroupVersion()))
	default:
		return nil
	}
}
