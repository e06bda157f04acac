package loops

import (
	"encoding/json"
	"strings"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/rawjson"
)

// in reports whether the request of an event touches the path of a claim, and whether the
// value there is the claim's.
func (c *claim) in(e *auditlog.Event) (touched, equal bool) {
	if (e.Ref.Subresource == "status") != strings.HasPrefix(c.path, "/status") {
		return false, false
	}
	body := e.RequestObject
	switch {
	case e.Verb != "patch":
		return true, c.equals(body)
	case body[0] == '[':
		return c.inOperations(body)
	}
	return c.inMerge(body)
}

// equals reports whether an object has the value of a claim.
func (c *claim) equals(object []byte) bool {
	if c.item != "" {
		return hasItem(rawjson.Lookup(object, rawjson.Keys(c.path)...), c.item)
	}
	value := rawjson.Lookup(object, rawjson.Keys(c.path)...)
	if value == nil {
		return c.value == removed
	}
	return hashOf(value) == c.value
}

// inMerge looks the claim up in a merge patch, a strategic merge patch or an applied
// configuration. Lists are not followed, because the patch may identify items by keys.
func (c *claim) inMerge(patch []byte) (touched, equal bool) {
	if c.item != "" {
		return false, false
	}
	value := patch
	for _, key := range rawjson.Keys(c.path) {
		if value[0] == '[' {
			return false, false
		}
		switch value = rawjson.Lookup(value, key); string(value) {
		case "":
			return false, false
		case "null":
			return true, c.value == removed
		}
	}
	return true, hashOf(value) == c.value
}

// inOperations looks the claim up in a JSON patch.
func (c *claim) inOperations(patch []byte) (touched, equal bool) {
	for _, w := range operations(patch) {
		if w.path == c.path && w.item == c.item {
			touched, equal = true, w.value == c.value
		} else if strings.HasPrefix(c.path, w.path+"/") && w.value == removed {
			touched, equal = true, c.value == removed
		}
	}
	return touched, equal
}

// Request is a request in the format of gatehouse, for the commands run and explain.
type Request struct {
	APIVersion  string          `json:"apiVersion"`
	Kind        string          `json:"kind"`
	Operation   string          `json:"operation"`
	Resource    string          `json:"resource,omitempty"`
	SubResource string          `json:"subResource,omitempty"`
	Namespace   string          `json:"namespace,omitempty"`
	Name        string          `json:"name,omitempty"`
	Object      json.RawMessage `json:"object,omitempty"`
	OldObject   json.RawMessage `json:"oldObject,omitempty"`
	Patch       *Patch          `json:"patch,omitempty"`
	UserInfo    UserInfo        `json:"userInfo"`
	Options     *Options        `json:"options,omitempty"`
}

// Options are the options of a request.
type Options struct {
	FieldManager string `json:"fieldManager"`
}

// Patch is the patch of a request.
type Patch struct {
	Type    string          `json:"type"`
	Content json.RawMessage `json:"content"`
	Force   bool            `json:"force,omitempty"`
}

// UserInfo is the user of a request.
type UserInfo struct {
	Username string   `json:"username"`
	Groups   []string `json:"groups,omitempty"`
}

// The number of loops with a request, and the size of its bodies.
const (
	maxRequests = 100
	maxBodies   = 64 << 10
)

// request returns the request of the event. What was stored before is not in the log; in a
// loop it is what was stored after.
func (v *visit) request() *Request {
	e := v.event
	if e.IsConfidential() ||
		e.RequestObject == nil || e.ResponseObject == nil ||
		len(e.RequestObject)+len(e.ResponseObject) > maxBodies ||
		!json.Valid(e.RequestObject) || !json.Valid(e.ResponseObject) {
		return nil
	}
	r := &Request{
		APIVersion: "gatehouse/v1alpha1", Kind: "AdmissionRequest", Operation: "UPDATE",
		SubResource: e.Ref.Subresource, OldObject: e.ResponseObject,
		UserInfo: UserInfo{e.User.Name, e.User.Groups},
	}
	if manager := e.Manager(); manager != "" {
		r.Options = &Options{manager}
	}
	switch {
	case e.Verb == "create":
		r.Operation, r.Object, r.OldObject = "CREATE", e.RequestObject, nil
	case e.Verb == "patch":
		r.Patch = &Patch{patchType(e), e.RequestObject, e.Applies() && e.Forces()}
	default:
		r.Object = e.RequestObject
	}
	return r
}

// patchType returns the type of the patch of an event, which the log does not have.
func patchType(e *auditlog.Event) string {
	switch {
	case e.RequestObject[0] == '[':
		return "json"
	case e.Applies():
		return "apply"
	case strings.Contains(e.Ref.APIGroup, ".") && !strings.HasSuffix(e.Ref.APIGroup, ".k8s.io"):
		return "merge"
	}
	return "strategic"
}
