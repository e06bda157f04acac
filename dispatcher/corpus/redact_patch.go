package corpus

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"

	"example.com/gatehouse/dispatcher/explain"
)

// inResponse redacts the response of a webhook.
func (r *redactor) inResponse(at location, value any) (any, bool) {
	text, ok := value.(string)
	if !ok || len(at) != 1 || !at.isAt("patch") {
		return r.inText(at, value)
	}
	patch, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return base64.StdEncoding.EncodeToString([]byte(placeholderText)), true
	}
	clean, changed := r.patch(patch)
	return base64.StdEncoding.EncodeToString(clean), changed
}

// patch redacts a JSON patch. One that cannot be read is replaced.
func (r *redactor) patch(patch []byte) (clean []byte, changed bool) {
	all := operations(patch)
	if all == nil {
		return []byte(placeholderText), true
	}
	for i := range all {
		op := &all[i]
		at := parsePointer(op.Path)
		w := &rewriter{value: func(below location, value any) (any, bool) {
			return r.inObject(append(at[:len(at):len(at)], below...), value)
		}}
		if value, err := w.rewrite(op.Value); err == nil && len(w.replaced) > 0 {
			op.Value, changed = value, true
		}
		if at.isAt("metadata") && len(at) == 3 && r.values.copies[at[2].text] {
			op.Path, changed = at[:2].pointer()+"/"+placeholderText, true
		}
	}
	if !changed {
		return patch, false
	}
	text, err := json.Marshal(all)
	if err != nil {
		return []byte(placeholderText), true
	}
	return text, true
}

// annotatedPatch redacts the patch in an audit annotation.
func (r *redactor) annotatedPatch(pointer string, value *string) {
	var of map[string]json.RawMessage
	if json.Unmarshal([]byte(*value), &of) != nil {
		*value = placeholderText
		return
	}
	patch, changed := r.patch(of["patch"])
	if !changed {
		return
	}
	r.pointers = append(r.pointers, pointer)
	if of["patch"] = patch; !json.Valid(patch) {
		delete(of, "patch")
	}
	text, err := json.Marshal(of)
	if err != nil {
		text = []byte(placeholderText)
	}
	*value = string(text)
}

// patchOf returns the patch in the response of a webhook; nil if there is none.
func patchOf(response []byte) []byte {
	var of struct{ Patch []byte }
	_ = json.Unmarshal(response, &of) // the patch of a broken response is replaced
	return of.Patch
}

func operations(patch []byte) []explain.Operation {
	var all []explain.Operation
	if json.Unmarshal(patch, &all) != nil {
		return nil
	}
	return all
}

// parsePointer returns the location of a JSON pointer.
func parsePointer(pointer string) location {
	var at location
	if pointer == "" {
		return at
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		_, err := strconv.Atoi(token)
		at = append(at, step{text: token, either: err == nil})
	}
	return at
}
