package suitefile

import (
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"

	"example.com/gatehouse/internal/manifest"
)

// Suite is a decoded suite. Its paths are relative to the working directory.
type Suite struct {
	// File is the file it was read from, or empty.
	File string
	Name string
	// Configs are files and folders; Inline are the objects among the
	// configurations, followed by the Namespaces.
	Configs []string
	Inline  []*manifest.Document
	// Recursive says that the folders in folders of Configs are read as well.
	Recursive bool
	// Authorizer is "allow", "deny" or "".
	Authorizer string
	// Webhooks have resolved paths, too. A WorkingDir is never empty.
	Webhooks []Webhook
	Serial   bool
	// Namespace is never empty.
	Namespace string
	// User is the default user; nil if not set.
	User   *authenticationv1.UserInfo
	DryRun bool
	Cases  []Case

	// document is the source, shared with the cases; nil if the suite was not
	// read.
	document *manifest.Document
}

// Wrap adds file, document and line of a field, such as "webhooks[0].name", to
// err. It returns nil if err is nil.
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
	// Request is an AdmissionRequest, an AdmissionReview, or an object to
	// create.
	Request *manifest.Document
	// Expect has a Golden with a resolved path.
	Expect Expect

	// document is the source, and path the case's field in it; nil if the case
	// was not read.
	document *manifest.Document
	path     string
}

// Wrap adds file, document and line of a field, such as "expect.message", to
// err. It returns nil if err is nil.
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

// At returns the position of a field of the case; that of the case for "". It
// is zero if the case was not read.
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
