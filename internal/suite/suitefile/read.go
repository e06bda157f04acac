package suitefile

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"example.com/gatehouse/internal/manifest"
)

// group is the API group of all that belongs to gatehouse alone.
const group = "gatehouse"

// kind is that of suites, in the one version that is known.
func kind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: "v1alpha1", Kind: "AdmissionTest"}
}

// Is reports whether a document is a suite, or somebody has meant it to be one: the group
// and the version may be any, and the kind need only be nearly right. A suite that is taken
// for something else is not run, and nobody would notice. Read says what is wrong with it.
func Is(d *manifest.Document) bool {
	known := kind().Kind
	return strings.EqualFold(d.Kind.Kind, known) || strings.EqualFold(d.Kind.Kind, known+"s")
}

// Read returns the suite that a document holds. It opens the files in which requests are,
// but no others: configurations and the folders of commands only have to be there, and
// goldens must be no file that is read. The error has one line for every mistake, in the
// order in which they stand in the file.
func Read(d *manifest.Document) (*Suite, error) {
	file, err := decode(d)
	if err != nil {
		return nil, err
	}
	r := &reader{
		mistakes: mistakes{document: d},
		file:     file,
		folder:   filepath.Dir(d.File),
		opened:   map[source]*opened{},
		suite:    &Suite{File: d.File, document: d},
	}
	for _, step := range []func(){r.readHead, r.readConfigurations, r.readNamespaces, r.readWebhooks, r.readDefaults, r.readCases, r.checkGoldens} {
		step()
	}
	if err := r.join(); err != nil {
		return nil, err
	}
	// A document in JSON learns its lines when it is asked for the first time. Cases may
	// ask for theirs from many goroutines.
	d.At("cases")
	return r.suite, nil
}

// reader makes a Suite of an AdmissionTest.
type reader struct {
	mistakes
	file *AdmissionTest
	// folder is what paths are relative to. That of standard input is the working
	// directory.
	folder string
	opened map[source]*opened
	suite  *Suite
}

// readHead takes what needs no more than a look.
func (r *reader) readHead() {
	file := r.file
	base := filepath.Base(r.suite.File)
	r.suite.Name = cmp.Or(file.Name, strings.TrimSuffix(base, filepath.Ext(base)))
	if file.Name != "" {
		r.at("name").check(checkName(file.Name))
	}
	switch file.Authorizer {
	case "", "allow", "deny":
		r.suite.Authorizer = file.Authorizer
	default:
		r.at("authorizer").wrong(`%q: must be "allow" or "deny"`, file.Authorizer)
	}
	r.suite.Serial = file.Serial
}

func (r *reader) readDefaults() {
	from, at := &r.file.Defaults, r.at("defaults")
	r.suite.Namespace = cmp.Or(from.Namespace, "default")
	at.at("namespace").check(checkNamespace(r.suite.Namespace))
	r.suite.User, r.suite.DryRun = from.UserInfo, from.DryRun
	if from.UserInfo != nil && from.UserInfo.Username == "" {
		at.at("userInfo").at("username").wrong("required: an API server has a name for everyone")
	}
}

// checkName reports names that would be lost in a report.
func checkName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("required")
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%q: must be one line, without control characters", name)
	default:
		return nil
	}
}

func checkNamespace(name string) error {
	if name == "" {
		return errors.New("required")
	}
	return invalid(name, validation.IsDNS1123Label(name))
}

// invalid makes an error of what apimachinery has against a value, nil if that is nothing.
func invalid(value string, reasons []string) error {
	if len(reasons) == 0 {
		return nil
	}
	return fmt.Errorf("%q: %s", value, strings.Join(reasons, ", "))
}
