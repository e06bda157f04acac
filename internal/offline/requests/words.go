package requests

import (
	"cmp"
	"strings"

	"example.com/gatehouse/internal/manifest"
)

// place is where an argument of package request came from.
type place struct {
	document *manifest.Document
	// field is the one in the document; empty if it was not said there.
	field string
	// word is what whoever wrote the request calls the argument.
	word string
}

// vocabulary says where the arguments of an order came from. Beside those of package
// request there are three that it does not know: operation, patch and apply.
type vocabulary func(o *order, argument string) place

// flagged is for requests that were made of manifests and flags.
func flagged(o *order, argument string) place {
	if word, ok := flags()[argument]; ok {
		return place{o.from, "", word}
	}
	root, field, _ := strings.Cut(argument, ".")
	switch {
	case root == "old" && o.old == nil:
		return place{o.from, "", "--old"}
	case root == "old":
		return within(o.old, field, "stored object")
	case root != "object" || o.object == nil && o.config == nil:
		// What a patch has made is in no document.
		return place{o.from, "", argument}
	case o.config != nil:
		return within(o.config, field, "object")
	default:
		return within(o.object, field, "object")
	}
}

// within is a field of an object in a manifest of its own, or the whole of it.
func within(s *Source, field, whole string) place {
	return place{s.Document, field, cmp.Or(field, whole)}
}

// written is for requests in files, of which all that was said is a field.
func written(o *order, argument string) place {
	if word, ok := fields()[argument]; ok {
		return place{o.from, word, word}
	}
	root, field, _ := strings.Cut(argument, ".")
	switch {
	case root == "old":
		root = "oldObject"
	case root == "object" && o.config != nil:
		root = "patch.content"
	}
	path := join(root, field)
	return place{o.from, path, path}
}

func join(root, field string) string {
	if field == "" {
		return root
	}
	return root + "." + field
}

// flags are the words of the command line.
func flags() map[string]string {
	return map[string]string{
		"operation": "--operation", "patch": "--patch", "apply": "--apply",
		"Endpoint.Subresource": "--subresource",
		"Endpoint.Namespace":   "--namespace",
		"Endpoint.Name":        "--name",
		// All that can be wrong with a resource that was found is that it has no
		// collections.
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

// fields are the words of request files.
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
