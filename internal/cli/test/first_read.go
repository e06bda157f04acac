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
func (f *firstSuite) read() error {
	var problems []error
	documents := map[string]int{}
	for d, err := range manifest.Filled(f.paths, f.stdin) {
		if err != nil {
			problems = append(problems, err)
			continue
		}
		documents[d.File]++
		f.take(d)
	}
	f.describe(documents)
	if len(f.samples)+len(problems) == 0 {
		problems = append(problems, errors.New("--init: there are no samples: all arguments say what the cluster is like"))
	}
	return errors.Join(append(problems, f.name(documents))...)
}

// take keeps a document by what it is good for.
func (f *firstSuite) take(d *manifest.Document) {
	if draft.Describes(d.Kind) {
		f.described = append(f.described, d)
	} else {
		f.samples = append(f.samples, draft.Sample{Document: d})
	}
}

// name names the files of samples that stand alone in one, of all those with documents.
func (f *firstSuite) name(documents map[string]int) error {
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

// describe finds out what has to be said about the cluster besides what -f does, which counts
// more; and how to say it.
func (f *firstSuite) describe(documents map[string]int) {
	known := f.known()
	f.described = slices.DeleteFunc(f.described, func(d *manifest.Document) bool { return known[identityOf(d)] })
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

// identity is what there is one of in a cluster.
type identity struct{ apiVersion, kind, namespace, name string }

// identityOf returns that of an object, as far as it can be read.
func identityOf(d *manifest.Document) identity {
	var m metav1.PartialObjectMetadata
	_ = json.Unmarshal(d.JSON, &m) // whoever reads it says what is wrong with it
	return identity{m.APIVersion, m.Kind, m.Namespace, m.Name}
}

// known are the objects after -f. What cannot be read is found when the suite is made.
func (f *firstSuite) known() map[identity]bool {
	known := map[identity]bool{}
	for d, err := range manifest.Files(f.configs, nil) {
		if err == nil {
			known[identityOf(d)] = true
		}
	}
	return known
}
