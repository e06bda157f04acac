package suitefile

import (
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"

	"example.com/gatehouse/internal/manifest"
)

// Suite is a suite that has been read. Its paths are ready to be opened.
type Suite struct {
	// File is where it was read; "" if it was not read.
	File string
	Name string
	// Configs are files and folders, Inline the objects among the configurations and the
	// Namespaces in short, which come after them.
	Configs []string
	Inline  []*manifest.Document
	// Authorizer is "allow", "deny" or "".
	Authorizer string
	// Webhooks have paths that are ready to be opened, too. A WorkingDir is never empty.
	Webhooks []Webhook
	Serial   bool
	// Namespace is never empty.
	Namespace string
	// User is who asks; nil if nothing was said.
	User   *authenticationv1.UserInfo
	DryRun bool
	Cases  []Case

	// document is where it stands; nil if it was not read. Cases have it, too.
	document *manifest.Document
}

// Wrap says in which file, document and line err happened, and which field of the suite it
// is about, written as in "webhooks[0].name". It returns nil if err is nil.
func (s *Suite) Wrap(field string, err error) error {
	switch {
	case err == nil:
		return nil
	case s.document == nil:
		return fmt.Errorf("%s: %w", field, err)
	}
	return s.document.Wrap(field, fmt.Errorf("%s: %w", field, err))
}

// Case is a case of a Suite.
type Case struct {
	Name string
	// Request is an AdmissionRequest, an AdmissionReview, or an object to create.
	Request *manifest.Document
	// Expect is what was written, with a Golden that is ready to be opened.
	Expect Expect

	// document is where it stands, and path its field there; nil if it was not read.
	document *manifest.Document
	path     string
}

// Wrap says in which file, document and line err happened, and which field of the case it
// is about, written as in "expect.message". It returns nil if err is nil.
func (c *Case) Wrap(field string, err error) error {
	switch {
	case err == nil:
		return nil
	case c.document == nil:
		return fmt.Errorf("%s: %s: %w", c.Name, field, err)
	}
	field = c.field(field)
	return c.document.Wrap(field, fmt.Errorf("%s: %w", field, err))
}

// At returns where a field of the case stands; that of the case itself if it is "". It is
// zero if the case was not read.
func (c *Case) At(field string) manifest.Position {
	if c.document == nil {
		return manifest.Position{}
	}
	return c.document.At(c.field(field))
}

// field returns the path of a field of the case.
func (c *Case) field(name string) string {
	if name == "" {
		return c.path
	}
	return c.path + "." + name
}
