package requestfile_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/testutil/manifesttest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// head begins an AdmissionRequest; what follows stands on line 3.
const head = "apiVersion: gatehouse/v1alpha1\nkind: AdmissionRequest\n"

// pod and stored are fields with an object, in one line each.
const (
	pod    = "object: {apiVersion: v1, kind: Pod, metadata: {name: web}}\n"
	stored = "oldObject: {apiVersion: v1, kind: Pod, metadata: {name: web}}\n"
)

// only returns the one document of a file.
func only(t *testing.T, input string) *manifest.Document {
	t.Helper()
	return manifesttest.Only(t, "a.yaml", input)
}

// describe writes down what a request says, one line for each field that says
// something.
func describe(r *requestfile.Request) []string {
	var lines []string
	say := func(field string, value any) {
		if text := fmt.Sprint(value); text != "" && text != "false" && text != "{}" && text != "null" {
			lines = append(lines, field+": "+text)
		}
	}
	say("operation", r.Operation)
	say("collection", r.Collection)
	say("resource", r.Resource)
	say("subresource", r.Subresource)
	say("namespace", r.Namespace)
	say("name", r.Name)
	say("object", text(r.Object))
	say("oldObject", text(r.OldObject))
	if p := r.Patch; p != nil {
		say("patch", fmt.Sprintf("%s %s", p.Type, manifesttest.Compact(p.Content)))
		say("force", p.Force)
		say("applied", text(p.Object))
	}
	say("user", plain(r.User))
	say("dryRun", r.DryRun)
	say("options", plain(r.Options))
	if r.Review != nil {
		say("reviewed resource", r.Review.Resource)
		say("reviewed kind", r.Review.Kind)
	}
	return lines
}

// text describes a document inside the request.
func text(d *manifest.Document) string {
	if d == nil {
		return ""
	}
	return fmt.Sprintf("%s %s %s", d.Item, d.Kind, manifesttest.Compact(d.JSON))
}

func plain(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}
