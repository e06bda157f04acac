package requestfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"example.com/gatehouse/internal/manifest"
)

// readFile reads an AdmissionRequest.
func readFile(d *manifest.Document) (*Request, error) {
	var file AdmissionRequest
	if err := errors.Join(d.RawMistakes(&file, true)...); err != nil {
		return nil, err
	}
	r := &Request{
		Document:    d,
		Operation:   file.Operation,
		Collection:  file.Collection,
		Resource:    file.Resource,
		Subresource: file.SubResource,
		Namespace:   file.Namespace,
		Name:        file.Name,
		Patch:       file.Patch,
		User:        file.UserInfo,
		DryRun:      file.DryRun,
		Options:     file.Options,
	}
	if err := r.takeObjects(file.Object, file.OldObject); err != nil {
		return nil, err
	}
	if err := r.takePatch(); err != nil {
		return nil, err
	}
	if err := r.setOperation(); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return r, nil
}

// takeObjects makes documents of the objects that are present.
func (r *Request) takeObjects(object, old json.RawMessage) error {
	var err error
	if present(object) {
		if r.Object, err = r.object("object"); err != nil {
			return err
		}
	}
	if present(old) {
		r.OldObject, err = r.object("oldObject")
	}
	return err
}

// present reports whether a field was given a value.
func present(raw json.RawMessage) bool { return len(raw) > 0 && !bytes.Equal(raw, []byte("null")) }

// takePatch checks the patch, if there is one, without the object. Of an Apply
// it makes a document.
func (r *Request) takePatch() error {
	p := r.Patch
	if p == nil {
		return nil
	}
	switch {
	case p.Type == "":
		return r.wrong("patch.type", "required: %s", patchTypes)
	case !slices.Contains([]PatchType{JSON, Merge, Strategic, Apply}, p.Type):
		return r.wrong("patch.type", "%q is unknown: want %s", p.Type, patchTypes)
	case p.Force && p.Type != Apply:
		return r.wrong(
			"patch.force", "only an apply can force conflicts, but the type is %s", p.Type)
	case !present(p.Content):
		return r.wrong("patch.content", "required")
	}
	if err := p.fits(); err != nil {
		return r.Wrap("patch.content", err)
	}
	if p.Type != Apply {
		return nil
	}
	var err error
	p.Object, err = r.object("patch.content")
	return err
}

// patchTypes lists the types in messages.
const patchTypes = "json, merge, strategic or apply"

// fits returns an error if the content cannot be of the patch type.
func (p *Patch) fits() error {
	list := bytes.HasPrefix(p.Content, []byte("["))
	object := bytes.HasPrefix(p.Content, []byte("{"))
	switch {
	case p.Type == JSON && !list:
		return errors.New("must be a list of operations for the type json")
	case p.Type == Apply && !object:
		return errors.New("must be an object with apiVersion and kind for the type apply")
	case p.Type != JSON && !object:
		return errors.New("must be an object for the type " + string(p.Type))
	default:
		return nil
	}
}
