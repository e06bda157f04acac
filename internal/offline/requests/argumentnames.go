package requests

import (
	"cmp"
	"strings"

	"example.com/gatehouse/internal/manifest"
)

// argumentSource is the origin of an argument of package request.
type argumentSource struct {
	document *manifest.Document
	// field is the field in the document; empty if the argument is not there.
	field string
	// name is the author's name for the argument: a flag or a field.
	name string
}

// argumentNames returns the origin of an argument: one of package request, or
// operation, patch or apply.
type argumentNames func(o *draft, argument string) argumentSource

// flagNames names the arguments of requests from manifests and flags.
func flagNames(o *draft, argument string) argumentSource {
	if name, ok := flags()[argument]; ok {
		return argumentSource{o.from, "", name}
	}
	root, field, _ := strings.Cut(argument, ".")
	switch {
	case root == "old" && o.old == nil:
		return argumentSource{o.from, "", "--old"}
	case root == "old":
		return within(o.old, field, "stored object")
	case root != "object" || o.object == nil && o.config == nil:
		// The object that a patch made is in no document.
		return argumentSource{o.from, "", argument}
	case o.config != nil:
		return within(o.config, field, "object")
	default:
		return within(o.object, field, "object")
	}
}

// within returns a field of a manifest, or the whole manifest.
func within(s *Source, field, whole string) argumentSource {
	return argumentSource{s.Document, field, cmp.Or(field, whole)}
}

// fieldNames names the arguments of request files.
func fieldNames(o *draft, argument string) argumentSource {
	if name, ok := fields()[argument]; ok {
		return argumentSource{o.from, name, name}
	}
	root, field, _ := strings.Cut(argument, ".")
	switch {
	case root == "old":
		root = "oldObject"
	case root == "object" && o.config != nil:
		root = "patch.content"
	}
	path := join(root, field)
	return argumentSource{o.from, path, path}
}

func join(root, field string) string {
	if field == "" {
		return root
	}
	return root + "." + field
}

// flags maps arguments to flags.
func flags() map[string]string {
	return map[string]string{
		"operation": "--operation", "patch": "--patch", "apply": "--apply",
		"Endpoint.Subresource": "--subresource",
		"Endpoint.Namespace":   "--namespace",
		"Endpoint.Name":        "--name",
		// The only possible error is that the resource has no collections.
		"Endpoint.Resource":     "--collection",
		"Endpoint.Kind":         "kind",
		"By.User.Username":      "--as",
		"By.DryRun":             "--dry-run",
		"By.FieldManager":       "--field-manager",
		"By.FieldValidation":    "--field-validation",
		"By.GracePeriodSeconds": "--grace-period",
		"By.PropagationPolicy":  "--cascade",
	}
}

// fields maps arguments to fields of request files.
func fields() map[string]string {
	return map[string]string{
		"operation": "operation", "patch": "patch", "apply": "patch",
		"Endpoint.Subresource":  "subResource",
		"Endpoint.Namespace":    "namespace",
		"Endpoint.Name":         "name",
		"Endpoint.Resource":     "collection", // as above
		"Endpoint.Kind":         "resource",
		"By.User.Username":      "userInfo.username",
		"By.DryRun":             "dryRun",
		"By.FieldManager":       "options.fieldManager",
		"By.FieldValidation":    "options.fieldValidation",
		"By.GracePeriodSeconds": "options.gracePeriodSeconds",
		"By.PropagationPolicy":  "options.propagationPolicy",
		"By.Preconditions":      "options.preconditions",
	}
}
