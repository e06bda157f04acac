package faultserver

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// values is what placeholders stand for in the answers to one request.
type values struct {
	head   *http.Request // nil as long as the headers have not been read
	body   func() []byte // what has been read of the request's body
	scheme string
	other  string // URL of the second origin

	abandoned func() error // returns why to stop answering

	review *asked // made from the body when it is first needed
}

// asked is what answers need to know of an AdmissionReview.
type asked struct {
	APIVersion string `json:"apiVersion"`
	Request    struct {
		UID string `json:"uid"`
	} `json:"request"`
}

// asked reads as much as there is; what is no review has no UID.
func (v *values) asked() *asked {
	if v.review == nil {
		v.review = &asked{}
		_ = json.Unmarshal(v.body(), v.review)
	}
	return v.review
}

// fill implements expand.
func (v *values) fill(s string) string {
	if !strings.Contains(s, "{{") {
		return s
	}
	path, self := "", ""
	if v.head != nil {
		path, self = v.head.URL.Path, v.scheme+"://"+v.head.Host
	}
	request := ""
	if strings.Contains(s, "{{request}}") {
		request = string(v.body())
	}
	return strings.NewReplacer(
		"{{uid}}", v.asked().Request.UID,
		"{{apiVersion}}", v.asked().APIVersion,
		"{{request}}", request,
		"{{path}}", path,
		"{{self}}", self,
		"{{other}}", v.other,
	).Replace(s)
}

// member is a name and what writes its value.
type member struct {
	name  string
	write func(io.Writer) error
}

// literal is a member with a value that JSON can encode; all of ours can.
func literal(name string, value any) member {
	encoded, _ := json.Marshal(value)
	return member{name, func(w io.Writer) error {
		_, err := w.Write(encoded)
		return err
	}}
}

// object is a member with members, in their order.
func object(name string, members []member) member {
	return member{name, func(w io.Writer) error { return writeObject(w, members) }}
}

func writeObject(w io.Writer, members []member) error {
	opening := "{"
	for _, m := range members {
		name, _ := json.Marshal(m.name)
		if _, err := io.WriteString(w, opening+string(name)+":"); err != nil {
			return err
		}
		if err := m.write(w); err != nil {
			return err
		}
		opening = ","
	}
	if len(members) == 0 {
		_, err := io.WriteString(w, "{}")
		return err
	}
	_, err := io.WriteString(w, "}")
	return err
}

func (r *Review) write(w io.Writer, v *values) error {
	var members []member
	for _, m := range []member{
		literal("apiVersion", either(r.APIVersion, v.asked().APIVersion)),
		literal("kind", either(r.Kind, "AdmissionReview")),
	} {
		// An empty name of a version or kind cannot be told from none.
		var text strings.Builder
		if _ = m.write(&text); text.String() != `""` {
			members = append(members, m)
		}
	}
	return writeObject(w, append(members, object("response", r.response(v))))
}

func either(set *string, otherwise string) string {
	if set != nil {
		return *set
	}
	return otherwise
}

func (r *Review) response(v *values) []member {
	members := []member{literal("uid", either(r.UID, v.asked().Request.UID)),
		literal("allowed", r.Allowed)}
	if r.Status != nil {
		members = append(members, object("status", r.Status.members(v.fill)))
	}
	if len(r.Patch) > 0 {
		members = append(
			members, member{"patch", func(w io.Writer) error { return writeBase64(w, r.Patch, v.fill) }})
	}
	if kind := either(r.PatchType, "JSONPatch"); kind != "-" &&
		(len(r.Patch) > 0 || r.PatchType != nil) {
		members = append(members, literal("patchType", kind))
	}
	if r.Warnings != nil {
		members = append(members, literal("warnings", r.Warnings))
	}
	if r.AuditAnnotations != nil {
		members = append(members, literal("auditAnnotations", r.AuditAnnotations))
	}
	return r.replace(members, v.fill)
}

// replace puts the members that are given as JSON in place of, or after, the
// others.
func (r *Review) replace(members []member, fill expand) []member {
	members = slices.DeleteFunc(members, func(m member) bool {
		_, replaced := r.Fields[m.name]
		return replaced
	})
	for _, name := range slices.Sorted(maps.Keys(r.Fields)) {
		if text := r.Fields[name]; !text.empty() {
			members = append(members, member{name, func(w io.Writer) error { return text.write(w, fill) }})
		}
	}
	return members
}

func (s *Status) members(fill expand) []member {
	var members []member
	add := func(set bool, m member) {
		if set {
			members = append(members, m)
		}
	}
	add(s.Status != "", literal("status", s.Status))
	add(s.Code != 0, literal("code", s.Code))
	add(s.Reason != "", literal("reason", s.Reason))
	add(len(s.Message) > 0, member{"message", func(w io.Writer) error { return writeString(w, s.Message, fill) }})
	add(s.RetryAfterSeconds != 0, literal("details", map[string]int{"retryAfterSeconds": s.RetryAfterSeconds}))
	return members
}

func writeBase64(w io.Writer, t Text, fill expand) error {
	if _, err := io.WriteString(w, `"`); err != nil {
		return err
	}
	encoder := base64.NewEncoder(base64.StdEncoding, w)
	if err := t.write(encoder, fill); err != nil {
		return err
	}
	if err := encoder.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, `"`)
	return err
}

// writeString writes a text as a string of JSON, without holding it.
func writeString(w io.Writer, t Text, fill expand) error {
	if _, err := io.WriteString(w, `"`); err != nil {
		return err
	}
	if err := t.write(&escaper{w: w}, fill); err != nil {
		return err
	}
	_, err := io.WriteString(w, `"`)
	return err
}

// escaper writes what stands between the quotes. A rune that two writes share
// would be damaged; texts are written in whole pieces.
type escaper struct {
	w      io.Writer
	quoted bytes.Buffer // of the last Write, to be used again
}

func (e *escaper) Write(p []byte) (int, error) {
	e.quoted.Reset()
	if err := json.NewEncoder(&e.quoted).Encode(string(p)); err != nil {
		return 0, err
	}
	text := bytes.TrimSuffix(e.quoted.Bytes(), []byte("\n"))
	if _, err := e.w.Write(text[1 : len(text)-1]); err != nil {
		return 0, err
	}
	return len(p), nil
}
