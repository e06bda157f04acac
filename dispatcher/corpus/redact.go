package corpus

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"

	"example.com/gatehouse/audit"
	"example.com/gatehouse/dispatcher/explain"
)

// Redact replaces the data of a Secret, the token of a TokenReview, and the
// values at the paths in objects of any kind, in the whole entry. It also
// replaces copies of the values: in annotations and other strings of the
// objects, in patches, and in the texts of webhooks. The replacements have the
// form of the originals, so that the request can still be admitted.
// Entry.Redacted lists their positions.
//
// It cannot find a value in an encoding other than base64, JSON or Go's quotes.
// An item that a path names by its keys, as in containers[name=web], stands for
// all items.
//
// FromResponse redacts its result. Redact is for entries from other sources. It
// removes Answer.Asked of entries that it changes, because a reader could use
// it to guess a value.
func (e *Entry) Redact(paths ...explain.Path) {
	r := newRedactor(e, paths, nil)
	if r == nil {
		return
	}
	r.entry(e)
	for i := range e.Answers {
		e.Answers[i].Asked = ""
	}
}

// redactor redacts the parts of an entry. The nil redactor changes nothing.
type redactor struct {
	paths []explain.Path
	// depth is the number of steps of the longest path.
	depth  int
	values values
	// pointers are the JSON pointers of what was replaced.
	pointers []string
}

// newRedactor returns a redactor that knows the values at the paths in all
// versions of the objects; nil if there is nothing to redact. sent are the
// reviews that the webhooks received.
func newRedactor(e *Entry, paths []explain.Path, sent [][]byte) *redactor {
	secret := explain.SecretPathsIn(e.Review)
	r := &redactor{paths: append(secret, paths...)}
	for _, p := range r.paths {
		r.depth = max(r.depth, depthOf(p))
	}
	if len(r.paths) == 0 {
		return nil
	}
	for _, review := range append(sent, e.Review) {
		object, old := objectsOf(review)
		r.collect(nil, object)
		r.collect(nil, old)
	}
	for i := range e.Answers {
		for _, op := range operations(patchOf(e.Answers[i].Response)) {
			r.collect(parsePointer(op.Path), op.Value)
		}
	}
	if e.Verdict != nil {
		r.collect(nil, e.Verdict.Object)
	}
	r.values.complete(len(secret) > 0)
	return r
}

func objectsOf(review []byte) (object, old json.RawMessage) {
	var of struct {
		Request struct{ Object, OldObject json.RawMessage }
	}
	_ = json.Unmarshal(review, &of) // a review that is not JSON is left out
	return of.Request.Object, of.Request.OldObject
}

// depthOf returns the number of steps of a path.
func depthOf(p explain.Path) (depth int) {
	for parent, ok := p.Parent(); ok; parent, ok = parent.Parent() {
		depth++
	}
	return depth
}

// covers reports whether the value at a location in an object is redacted.
func (r *redactor) covers(at location) bool {
	// Paths cover what is below them. The path of a whole location takes time that is
	// quadratic in its depth.
	path := at[:min(len(at), r.depth)].path()
	for _, p := range r.paths {
		if p.Covers(path) {
			return true
		}
	}
	return false
}

// collect keeps the values that are redacted in an object, or a part of one.
func (r *redactor) collect(at location, part []byte) {
	w := &rewriter{value: func(below location, value any) (any, bool) {
		here := append(at[:len(at):len(at)], below...)
		if r.covers(here) {
			r.values.add(value)
		}
		if text, ok := value.(string); ok && isLastApplied(here) {
			r.collect(nil, []byte(text)) // it may hold older values
		}
		return nil, false
	}}
	_, _ = w.rewrite(part) // what is not JSON has no paths
}

// isLastApplied reports whether a location is that of the annotation in which kubectl apply
// keeps a copy of the object.
func isLastApplied(at location) bool {
	return len(at) == 3 && at.isAt("metadata", "annotations", corev1.LastAppliedConfigAnnotation)
}

// entry redacts an entry.
func (r *redactor) entry(e *Entry) {
	if r == nil {
		return
	}
	e.Review = r.within("/review", e.Review, rewriter{value: r.inReview, key: r.keyIn(2)})
	for i := range e.Answers {
		a, at := &e.Answers[i], fmt.Sprintf("/answers/%d", i)
		a.Response = r.within(at+"/response", a.Response,
			rewriter{value: r.inResponse, key: r.keyOfResponse})
		r.text(at+"/error", &a.Error)
	}
	if e.Verdict != nil {
		r.verdict(e.Verdict)
	}
	known := sets.New(e.Redacted...) // of an entry that was redacted before
	for _, pointer := range r.pointers {
		if !known.Has(pointer) {
			e.Redacted = append(e.Redacted, pointer)
		}
	}
}

// review redacts a review without keeping where.
func (r *redactor) review(review []byte) []byte {
	if r == nil || review == nil {
		return review
	}
	w := &rewriter{value: r.inReview, key: r.keyIn(2)}
	text, err := w.rewrite(review)
	if err != nil {
		return nil
	}
	return text
}

// within redacts a document at a pointer. One that is not JSON is removed.
func (r *redactor) within(pointer string, document []byte, w rewriter) json.RawMessage {
	if document == nil {
		return nil
	}
	text, err := w.rewrite(document)
	if err != nil {
		r.pointers = append(r.pointers, pointer)
		return nil
	}
	for _, at := range w.replaced {
		r.pointers = append(r.pointers, pointer+at.pointer())
	}
	return text
}

// verdict redacts the verdict.
func (r *redactor) verdict(v *Verdict) {
	v.Object = r.within("/verdict/object", v.Object, rewriter{value: r.inObject, key: r.keyIn(0)})
	if v.Status != nil {
		text, err := json.Marshal(v.Status)
		if err == nil {
			status := &metav1.Status{}
			if json.Unmarshal(r.within("/verdict/status", text, rewriter{value: r.inText}), status) == nil {
				v.Status = status
			}
		}
	}
	v.Warnings = slices.Clone(v.Warnings)
	for i := range v.Warnings {
		r.text(fmt.Sprintf("/verdict/warnings/%d", i), &v.Warnings[i])
	}
	clean := map[string]string{}
	for key, value := range v.AuditAnnotations {
		key = r.values.texts.Text(key)
		at := location{{text: key}}.pointer()
		if strings.HasPrefix(key, audit.PatchPrefix) {
			r.annotatedPatch("/verdict/auditAnnotations"+at, &value)
		}
		r.text("/verdict/auditAnnotations"+at, &value)
		clean[key] = value
	}
	if v.AuditAnnotations != nil {
		v.AuditAnnotations = clean
	}
}

// text redacts a text of a webhook.
func (r *redactor) text(pointer string, text *string) {
	if clean := r.values.texts.Text(*text); clean != *text {
		*text = clean
		r.pointers = append(r.pointers, pointer)
	}
}

// inReview redacts the objects and the options of a review.
func (r *redactor) inReview(at location, value any) (any, bool) {
	switch {
	case at.isAt("request", "object"), at.isAt("request", "oldObject"):
		return r.inObject(at[2:], value)
	case at.isAt("request", "options"):
		return r.inText(at, value)
	}
	return nil, false
}

// inObject redacts the values at the paths, and their copies elsewhere.
func (r *redactor) inObject(at location, value any) (any, bool) {
	if value == nil {
		return nil, false
	}
	if r.covers(at) {
		return r.replacement(at, value), true
	}
	text, ok := value.(string)
	if !ok || isIdentity(at) {
		return nil, false
	}
	if isLastApplied(at) {
		return r.inLastApplied(text)
	}
	return r.values.replaceCopy(text)
}

// replacement returns a value of the same type and form. It is none that a Go type
// leaves out of its JSON: the webhooks of a replay must receive what Asked is of.
func (r *redactor) replacement(at location, value any) any {
	switch v := value.(type) {
	case json.Number:
		return 1
	case string:
		if _, ok := decoded(v); ok && at.isAt("data") { // a number would be no base64
			return placeholderBytes
		}
		return placeholder(v)
	}
	return true
}

// isIdentity reports whether a field of an object says what the object is. It is
// the same in the request, and a webhook cannot put a value there.
func isIdentity(at location) bool {
	switch {
	case len(at) == 1:
		return at.isAt("apiVersion") || at.isAt("kind") || at.isAt("type")
	case len(at) > 1 && at.isAt("metadata"):
		return at[1].text != "labels" && at[1].text != "annotations"
	}
	return false
}

// inLastApplied redacts the copy of the object in the annotation.
func (r *redactor) inLastApplied(text string) (any, bool) {
	w := &rewriter{value: r.inObject}
	clean, err := w.rewrite([]byte(text))
	if err != nil {
		clean = []byte(r.values.texts.Text(text))
	}
	return string(clean), string(clean) != text
}

// keyIn redacts the keys of labels and annotations of an object that begins at a
// depth of the document.
func (r *redactor) keyIn(depth int) func(location, string) string {
	return func(at location, key string) string {
		isMap := len(at) == depth+2 &&
			(at[depth:].isAt("metadata", "labels") || at[depth:].isAt("metadata", "annotations"))
		if isMap && r.values.copies[key] {
			return placeholderText
		}
		return key
	}
}

// keyOfResponse redacts the keys of audit annotations.
func (r *redactor) keyOfResponse(at location, key string) string {
	if len(at) == 1 && at.isAt("auditAnnotations") {
		return r.values.texts.Text(key)
	}
	return key
}

// inText redacts the copies of values in texts of a webhook.
func (r *redactor) inText(_ location, value any) (any, bool) {
	text, ok := value.(string)
	if !ok {
		return nil, false
	}
	clean := r.values.texts.Text(text)
	return clean, clean != text
}
