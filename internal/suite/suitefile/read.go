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

// group is the API group of gatehouse's own kinds.
const group = "gatehouse"

// kind is the kind of suites, in the only supported version.
func kind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: "v1alpha1", Kind: "AdmissionTest"}
}

// Is reports whether a document is meant to be a suite: any group and version,
// and a kind that is nearly right. Otherwise a misspelled suite would silently
// not run. Read reports the mistakes.
func Is(d *manifest.Document) bool {
	known := kind().Kind
	return strings.EqualFold(d.Kind.Kind, known) || strings.EqualFold(d.Kind.Kind, known+"s")
}

// Read decodes and validates a suite. It opens the files of requests only:
// configurations and the folders of commands need to exist, and golden files
// must not be inputs. The error has one line for every mistake, in the order of
// the file.
func Read(d *manifest.Document) (*Suite, error) {
	file, err := decode(d)
	if err != nil {
		return nil, err
	}
	r := &reader{
		mistakes: mistakes{document: d},
		file:     file,
		folder:   filepath.Dir(d.File),
		opened:   map[source]*openedFile{},
		suite:    &Suite{File: d.File, document: d},
	}
	for _, step := range []func(){
		r.readHead, r.readConfigurations, r.readNamespaces, r.readWebhooks,
		r.readDefaults, r.readCases, r.checkGoldens,
	} {
		step()
	}
	if err := r.join(); err != nil {
		return nil, err
	}
	// At computes the lines of a JSON document on first use, which is not safe
	// for concurrent use; cases may call it concurrently later.
	d.At("cases")
	return r.suite, nil
}

// reader converts an AdmissionTest to a Suite.
type reader struct {
	mistakes
	file *AdmissionTest
	// folder is the base of relative paths; for standard input the working
	// directory.
	folder string
	opened map[source]*openedFile
	suite  *Suite
}

// readHead reads name, recursive, authorizer and serial.
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
	r.suite.Recursive, r.suite.Serial = file.Recursive, file.Serial
}

func (r *reader) readDefaults() {
	from, at := &r.file.Defaults, r.at("defaults")
	r.suite.Namespace = cmp.Or(from.Namespace, "default")
	at.at("namespace").check(checkNamespace(r.suite.Namespace))
	r.suite.User, r.suite.DryRun = from.UserInfo, from.DryRun
	if from.UserInfo != nil && from.UserInfo.Username == "" {
		at.at("userInfo").at("username").wrong("required: every request has a user name")
	}
}

// checkName rejects names that are unreadable in a report.
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

// invalid returns an error with apimachinery's reasons, or nil.
func invalid(value string, reasons []string) error {
	if len(reasons) == 0 {
		return nil
	}
	return fmt.Errorf("%q: %s", value, strings.Join(reasons, ", "))
}
