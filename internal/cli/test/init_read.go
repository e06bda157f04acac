package test

import (
	"encoding/json"
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite/draft"
)

// read reads the documents of the arguments.
func (f *initSuite) read() error {
	var problems []error
	documents := map[string]int{}
	reader := manifest.Reader{Stdin: f.stdin, Recursive: f.recursive}
	for d, err := range reader.Filled(f.paths) {
		if err != nil {
			problems = append(problems, err)
			continue
		}
		documents[d.File]++
		f.add(d)
	}
	f.describe(documents)
	if len(f.samples)+len(problems) == 0 {
		problems = append(problems,
			errors.New("--init: there are no samples: all arguments describe the cluster"))
	}
	return errors.Join(append(problems, f.name(documents))...)
}

// add adds a document to the samples, or to the description of the cluster.
func (f *initSuite) add(d *manifest.Document) {
	if draft.DescribesCluster(d.Kind) {
		f.described = append(f.described, d)
	} else {
		f.samples = append(f.samples, draft.Sample{Document: d})
	}
}

// name sets the paths of samples that are the only document of their file.
func (f *initSuite) name(documents map[string]int) error {
	var problems []error
	for i := range f.samples {
		s := &f.samples[i]
		if d := s.Document; documents[d.File] == 1 && d.Item == "" && d.File != manifest.StandardInput {
			var err error
			s.Path, err = f.fromFolder(d.File)
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// describe decides which objects the suite contains, and which files it names.
// Objects after -f take precedence.
func (f *initSuite) describe(documents map[string]int) {
	known := f.known()
	f.described = slices.DeleteFunc(f.described,
		func(d *manifest.Document) bool { return known[identityOf(d)] })
	described := map[string]int{}
	for _, d := range f.described {
		described[d.File]++
	}
	for _, d := range f.described {
		switch {
		case d.File == manifest.StandardInput || described[d.File] < documents[d.File]:
			f.written = append(f.written, d)
		case !slices.Contains(f.files, d.File):
			f.files = append(f.files, d.File)
		}
	}
}

// identity is the key under which an object is unique in a cluster.
type identity struct{ apiVersion, kind, namespace, name string }

// identityOf returns the identity of an object, as far as it decodes.
func identityOf(d *manifest.Document) identity {
	var m metav1.PartialObjectMetadata
	_ = json.Unmarshal(d.JSON, &m) // suite.New reports errors
	return identity{m.APIVersion, m.Kind, m.Namespace, m.Name}
}

// known returns the objects after -f. suite.New reports unreadable ones.
func (f *initSuite) known() map[identity]bool {
	known := map[identity]bool{}
	reader := manifest.Reader{Recursive: f.recursive}
	for d, err := range reader.Files(f.configs) {
		if err == nil {
			known[identityOf(d)] = true
		}
	}
	return known
}
