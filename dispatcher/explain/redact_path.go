package explain

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/audit"
)

// SecretPaths returns the paths of credentials in objects of a kind, in any version: of the
// data of a Secret, of which kubectl apply stores a copy in an annotation, and of the token
// of a TokenReview and a TokenRequest; nil for other kinds.
func SecretPaths(kind metav1.GroupVersionKind) []Path {
	root := Path{}
	switch kind.Group + "/" + kind.Kind {
	case "/Secret":
		last := root.Key("metadata").Key("annotations").Key(corev1.LastAppliedConfigAnnotation)
		return []Path{root.Key("data"), root.Key("stringData"), last}
	case "authentication.k8s.io/TokenReview":
		return []Path{root.Key("spec").Key("token")}
	case "authentication.k8s.io/TokenRequest":
		return []Path{root.Key("status").Key("token")}
	}
	return nil
}

// SecretPathsIn returns the SecretPaths of the kinds of an AdmissionReview and of those of
// its objects; nil if there are none, or the review is not JSON.
func SecretPathsIn(review []byte) []Path {
	var of struct {
		Request struct {
			Kind, RequestKind metav1.GroupVersionKind
			Object, OldObject metav1.TypeMeta
		}
	}
	// Members of another type are not those of a Secret.
	_ = json.Unmarshal(review, &of)
	q := of.Request
	kinds := []metav1.GroupVersionKind{
		q.Kind, q.RequestKind, metav1.GroupVersionKind(q.Object.GroupVersionKind()),
		metav1.GroupVersionKind(q.OldObject.GroupVersionKind()),
	}
	var paths []Path
	for i, kind := range kinds {
		if !slices.Contains(kinds[:i], kind) {
			paths = append(paths, SecretPaths(kind)...)
		}
	}
	return paths
}

var secretKind = metav1.GroupVersionKind{Version: "v1", Kind: "Secret"}

// pathRedactor redacts values by their paths, and collects them.
type pathRedactor struct {
	paths  []Path
	values []string
}

// explanation redacts the values of e, and collects those of the states.
func (r *pathRedactor) explanation(e *Explanation, states []State) {
	for _, s := range states {
		r.valueAt("", &s.Object)
	}
	e.eachValue(func(path *string, values ...*json.RawMessage) {
		for _, value := range values {
			r.valueAt(*path, value)
		}
	})
	e.eachCall(func(_ *Webhook, c *Call) {
		r.patch(c.Patch)
		c.Request, c.Response = transform(c.Request, r.review), transform(c.Response, r.response)
	})
	for i := range e.AuditAnnotations {
		r.annotation(&e.AuditAnnotations[i])
	}
}

func (r *pathRedactor) annotation(a *Annotation) {
	if !strings.HasPrefix(a.Key, audit.PatchPrefix) {
		return
	}
	var recorded struct {
		Configuration string      `json:"configuration"`
		Webhook       string      `json:"webhook"`
		Patch         []Operation `json:"patch"`
		PatchType     string      `json:"patchType"`
	}
	if err := json.Unmarshal([]byte(a.Value), &recorded); err != nil {
		a.Value = redacted
		return
	}
	r.patch(recorded.Patch)
	text, err := json.Marshal(recorded)
	if err != nil {
		text = []byte(redacted)
	}
	a.Value = string(text)
}

func (r *pathRedactor) patch(operations []Operation) {
	for i := range operations {
		r.valueAt(operations[i].Path, &operations[i].Value)
	}
}

// review redacts the objects of an AdmissionReview request.
func (r *pathRedactor) review(body any) any {
	review, _ := body.(map[string]any)
	request, _ := review["request"].(map[string]any)
	for _, member := range []string{"object", "oldObject"} {
		if object, ok := request[member]; ok {
			request[member] = r.value(object, Path{})
		}
	}
	return body
}

// response redacts the patch of an AdmissionReview response as a whole;
// Call.Patch shows it.
func (r *pathRedactor) response(body any) any {
	review, _ := body.(map[string]any)
	response, _ := review["response"].(map[string]any)
	if _, ok := response["patch"]; ok {
		response["patch"] = redacted
	}
	return body
}

// valueAt redacts the value at a path. If the path does not parse, it redacts
// all of the value.
func (r *pathRedactor) valueAt(path string, value *json.RawMessage) {
	if *value == nil {
		return
	}
	parsed, err := ParsePath(path)
	if err != nil {
		*value = json.RawMessage(strconv.Quote(redacted))
		return
	}
	*value = transform(*value, func(v any) any { return r.value(v, parsed) })
}

// value redacts the covered leaves of the value at a path. Keys, nulls and
// empty parts stay.
func (r *pathRedactor) value(value any, at Path) any {
	at = r.shorten(at)
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = r.value(v[key], at.Key(key))
		}
		return v
	case []any:
		for i := range v {
			v[i] = r.value(v[i], at.Index(i))
		}
		return v
	case nil:
		return nil
	}
	if !r.covers(at) {
		return value
	}
	switch v := value.(type) {
	case string:
		r.values = append(r.values, v)
	case json.Number: // short numbers occur in most texts
		if len(v) >= minSubstring {
			r.values = append(r.values, v.String())
		}
	}
	return redacted
}

// shorten cuts off the steps that covers does not look at. With all of them, the paths of the
// leaves would take time that is quadratic in the depth of the object.
func (r *pathRedactor) shorten(at Path) Path {
	longest := 0
	for _, path := range r.paths {
		longest = max(longest, len(path.steps))
	}
	return Path{at.steps[:min(longest, len(at.steps))]}
}

func (r *pathRedactor) covers(at Path) bool {
	for _, path := range r.paths {
		if path.Covers(at) {
			return true
		}
	}
	return false
}
