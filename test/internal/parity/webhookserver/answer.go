package webhookserver

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// review is what scripted answers need of an AdmissionReview.
type review struct {
	APIVersion string `json:"apiVersion"`
	Request    struct {
		UID       string          `json:"uid"`
		Object    json.RawMessage `json:"object"`
		OldObject json.RawMessage `json:"oldObject"`
	} `json:"request"`
}

// newReview reads as much as it can: what is wrong with a request shows when
// requests are compared.
func newReview(body []byte) *review {
	var r review
	_ = json.Unmarshal(body, &r)
	return &r
}

// fits reports whether a condition holds for the object, or for the old one if
// there is none.
func (r *review) fits(when *scenario.When) bool {
	if when == nil {
		return true
	}
	raw := r.Request.Object
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		raw = r.Request.OldObject
	}
	var object any
	_ = json.Unmarshal(raw, &object)
	value, found := lookUp(object, when.Path)
	holds := found
	if found && when.Is != nil {
		var want any
		holds = json.Unmarshal(when.Is, &want) == nil && reflect.DeepEqual(value, want)
	}
	return holds != when.Not
}

// lookUp follows a JSON pointer.
func lookUp(value any, pointer string) (any, bool) {
	if pointer == "" {
		return value, true
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		switch at := value.(type) {
		case map[string]any:
			next, found := at[unescape.Replace(step)]
			if !found {
				return nil, false
			}
			value = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			value = at[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// content is the body of an answer.
func (r *review) content(a *scenario.Answer) []byte {
	if a.Body != nil {
		return []byte(
			strings.NewReplacer("{{uid}}", r.Request.UID, "{{apiVersion}}", r.APIVersion).Replace(*a.Body))
	}
	answer := map[string]any{"kind": "AdmissionReview",
		"apiVersion": first(a.APIVersion, r.APIVersion)}
	if !a.NoResponse {
		answer["response"] = r.response(a)
	}
	// Answers were decoded from JSON, so they can be encoded.
	content, _ := json.Marshal(answer)
	return content
}

func (r *review) response(a *scenario.Answer) map[string]any {
	response := map[string]any{"uid": first(a.UID, r.Request.UID), "allowed": a.Allowed}
	if a.Patch != "" {
		response["patch"] = []byte(a.Patch) // which JSON has in base64
		if !a.NoPatchType {
			response["patchType"] = "JSONPatch"
		}
	}
	if a.Result != nil {
		response["status"] = a.Result
	}
	if a.Warnings != nil {
		response["warnings"] = a.Warnings
	}
	if a.AuditAnnotations != nil {
		response["auditAnnotations"] = a.AuditAnnotations
	}
	return response
}

func first(s, otherwise string) string {
	if s != "" {
		return s
	}
	return otherwise
}
