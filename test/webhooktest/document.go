package webhooktest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/suite/suitefile"
)

// document returns the request as a document, as if it was in a file, so that
// both are decoded alike.
func (r *Request) document() (*manifest.Document, error) {
	switch {
	case r.at == "":
		return nil, errors.New("nothing is requested: Request is missing, such as Create(pod)")
	case len(r.problems) > 0:
		return nil, errors.Join(r.problems...)
	case r.file != "":
		return r.open()
	}
	says := r.request
	parts, err := r.detachParts(&says)
	if err != nil {
		return nil, err
	}
	kind := requestfile.Kind()
	apiVersion, name := kind.ToAPIVersionAndKind()
	says.TypeMeta = metav1.TypeMeta{APIVersion: apiVersion, Kind: name}
	text, err := marshal(&says)
	if err != nil {
		return nil, err
	}
	d := &manifest.Document{Position: position("the request"), Kind: kind, JSON: text}
	for field, part := range parts {
		d.Attach(field, part)
	}
	return d, nil
}

// detachParts puts placeholders into the request and returns the objects as
// documents with line numbers.
func (r *Request) detachParts(
	says *requestfile.AdmissionRequest,
) (map[string]*manifest.Document, error) {
	parts := map[string]*manifest.Document{}
	for _, part := range []struct {
		field string
		value any
		raw   *json.RawMessage
	}{{"object", r.object, &says.Object}, {"oldObject", r.old, &says.OldObject}} {
		if part.value == nil {
			continue
		}
		d, err := documentOf(part.field, part.value)
		if err != nil {
			return nil, err
		}
		parts[part.field], *part.raw = d, json.RawMessage("{}")
	}
	return parts, r.detachPatch(says, parts)
}

// detachPatch is detachParts for a patch. Only an apply patch is an object.
func (r *Request) detachPatch(
	says *requestfile.AdmissionRequest, parts map[string]*manifest.Document,
) error {
	if says.Patch == nil {
		return nil
	}
	const field = "patch.content"
	patch := *says.Patch
	says.Patch = &patch
	var err error
	if patch.Type == requestfile.Apply {
		patch.Content = json.RawMessage("{}")
		parts[field], err = documentOf(field, r.patch)
		return err
	}
	if patch.Content, err = valueOf(r.patch); err != nil {
		return fmt.Errorf("%s: %w", field, err)
	}
	return nil
}

// open reads the file of a request.
func (r *Request) open() (*manifest.Document, error) {
	if len(r.changed) > 0 {
		return nil, fmt.Errorf("%s: %s: a request in a file says all about itself", r.file, strings.Join(r.changed, ", "))
	}
	return suitefile.ReadDocument(r.file)
}
