package suitefile

import (
	"encoding/json"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requestfile"
)

func (r *reader) readCases() {
	at, names := r.at("cases"), map[string]fieldPath{}
	if len(r.file.Cases) == 0 {
		at.wrong("required: at least one")
	}
	written := r.rawCases()
	for i := range r.file.Cases {
		from, at := &r.file.Cases[i], at.item(i)
		if from.Name != "" {
			at.unique(from.Name, names)
		}
		at.at("name").check(checkName(from.Name))
		if expect := fieldsOf(written[i]["expect"]); expect != nil {
			checkRaw(at.at("expect"), expect)
		} else {
			at.at("expect").wrong("required: {} expects only that the request is allowed")
		}
		r.suite.Cases = append(r.suite.Cases, r.readCase(at, from))
	}
}

func (r *reader) readCase(at fieldPath, from *AdmissionTestCase) Case {
	c := Case{Name: from.Name, Expect: from.Expect, document: r.document, path: at.path}
	c.Request = r.readRequest(at.at("request"), from.Request)
	c.Expect.Check(func(field string, err error) { at.at("expect").at(field).check(err) })
	if c.Expect.Golden != "" {
		c.Expect.Golden = r.resolve(c.Expect.Golden)
	}
	return c
}

// readRequest returns a request; nil after a mistake.
func (r *reader) readRequest(at fieldPath, raw json.RawMessage) *manifest.Document {
	path, err := pathIn(raw)
	switch {
	case err != nil:
		at.check(err)
		return nil
	case path != "":
		return r.open(at, source{path: path})
	}
	request, err := r.document.PartAs(at.path, requestfile.Kind())
	if err != nil {
		r.note(at.path, err)
		return nil
	}
	for _, field := range []string{"object", "oldObject"} {
		r.attach(at, request, field, source{path: textIn(request.JSON, field)})
	}
	patch := fieldsOf(request.JSON)["patch"]
	r.attach(at, request, "patch.content", source{
		path: textIn(patch, "content"),
		// An apply patch is an object with a kind; other patches need none.
		value: textIn(patch, "type") != string(requestfile.Apply),
	})
	return request
}

// attach reads the file that a field of a request names, if any.
func (r *reader) attach(at fieldPath, request *manifest.Document, field string, from source) {
	if from.path == "" {
		return
	}
	if d := r.open(at.at(field), from); d != nil {
		request.Attach(field, d)
	}
}

// fieldsOf returns the fields of a JSON object; nil for other values.
func fieldsOf(raw json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil
	}
	return fields
}

// textIn returns a string field of a JSON object, or "".
func textIn(raw json.RawMessage, field string) string {
	var text string
	if err := json.Unmarshal(fieldsOf(raw)[field], &text); err != nil {
		return ""
	}
	return text
}
