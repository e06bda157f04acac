package baseline

import (
	"errors"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/filereplace"
	"example.com/gatehouse/internal/manifest"
)

// Read reads a baseline file. If the file is missing, the error is that of
// package os.
func Read(path string) (*Baseline, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	var read *Baseline
	for d, err := range manifest.Files([]string{path}, nil) {
		if err != nil {
			return nil, err
		}
		if read != nil {
			return nil, d.Wrap("", errors.New("a baseline is one document"))
		}
		if read, err = decode(d); err != nil {
			return nil, err
		}
	}
	if read == nil {
		return nil, fmt.Errorf("%s: there is no %s in it", path, Kind)
	}
	return read, nil
}

func decode(d *manifest.Document) (*Baseline, error) {
	if version, kind := d.Kind.ToAPIVersionAndKind(); version != APIVersion || kind != Kind {
		return nil, d.Wrap("kind", fmt.Errorf("kind: it is a %s of %s: want a %s of %s", kind, version, Kind, APIVersion))
	}
	b := &Baseline{}
	if err := d.DecodeInto(b, true); err != nil {
		return nil, err
	}
	for i, f := range b.Findings {
		if f.Check == "" {
			field := fmt.Sprintf("findings[%d].check", i)
			return nil, d.Wrap(field, fmt.Errorf("%s: required", field))
		}
	}
	return b, nil
}

// head is the comment at the start of a file about its origin.
const head = "# Findings that are accepted for now. Written by gatehouse conformance --write-baseline.\n"

// Write writes a baseline file, and replaces an existing file atomically.
func (b *Baseline) Write(path string) error {
	text, err := yaml.Marshal(b)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return filereplace.Write(path, append([]byte(head), text...), 0o666)
}
