package scenario

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Load reads the scenarios of all files below a folder whose names end in
// .yaml, in the order of their paths; documents without content are skipped. A
// folder without such files has none.
//
// An error names the file and the document: one that is not YAML, has a field
// that is unknown or there twice, lacks what is required, or takes a name that
// another scenario has.
func Load(dir string) ([]Scenario, error) {
	var all []Scenario
	seen := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found, err := parse(path, content, seen)
		all = append(all, found...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("loading scenarios: %w", err)
	}
	return all, nil
}

// parse decodes one file. It records in seen where each name was found.
func parse(path string, content []byte, seen map[string]string) ([]Scenario, error) {
	var found []Scenario
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
	for number := 1; ; number++ {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		where := fmt.Sprintf("%s: document %d", path, number)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		if blank(document) {
			continue
		}
		var s Scenario
		if err := yaml.UnmarshalStrict(document, &s); err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		if err := s.Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		if earlier, taken := seen[s.Name]; taken {
			return nil, fmt.Errorf("%s: the name %q is taken by %s", where, s.Name, earlier)
		}
		seen[s.Name] = where
		found = append(found, s)
	}
}

// blank reports whether a document is empty.
func blank(document []byte) bool {
	var content any
	return yaml.Unmarshal(document, &content) == nil && content == nil
}

// Check returns an error if something that is required is missing.
func (s *Scenario) Check() error {
	switch {
	case s.Name == "":
		return errors.New("name is missing")
	case s.Why == "":
		return fmt.Errorf("%s: why is missing", s.Name)
	case len(s.Steps) == 0:
		return fmt.Errorf("%s: steps are missing", s.Name)
	}
	for i := range s.Steps {
		if err := s.Steps[i].Request.check(); err != nil {
			return fmt.Errorf("%s: steps[%d].request: %w", s.Name, i, err)
		}
	}
	return nil
}

func (r *Request) check() error {
	switch {
	case r.Operation != "CREATE" && r.Operation != "UPDATE" && r.Operation != "DELETE" && r.Operation != "CONNECT":
		return fmt.Errorf("operation is %q, which is none", r.Operation)
	case r.Kind.Kind == "" || r.Kind.Version == "":
		return errors.New("kind is missing")
	case r.Resource.Resource == "" || r.Resource.Version == "":
		return errors.New("resource is missing")
	case r.Form != Internal && r.Form != Unstructured:
		return fmt.Errorf("form is %q, which is none", r.Form)
	}
	return nil
}
