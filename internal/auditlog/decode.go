package auditlog

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"example.com/gatehouse/internal/auditlog/rawjson"
)

// parts are the raw values of an event's members.
type parts struct {
	kind, level, stage, time, received, verb               []byte
	id, uri, user, impersonated, agent, ref, status        []byte
	requestObject, responseObject, annotations, apiVersion []byte
	items                                                  []byte
}

// split finds the parts of the JSON object that begins at i. It returns the index after it;
// -1 if it does not end.
func (p *parts) split(b []byte, i int) int {
	*p = parts{}
	return rawjson.Members(b, i, func(key, value []byte) bool {
		if to := p.member(key); to != nil {
			*to = value
		}
		return true
	})
}

// member returns the field for the value of a key; nil for the keys that are not needed.
func (p *parts) member(key []byte) *[]byte {
	switch string(key) {
	case "kind":
		return &p.kind
	case "apiVersion":
		return &p.apiVersion
	case "items":
		return &p.items
	case "level":
		return &p.level
	case "stage":
		return &p.stage
	case "stageTimestamp":
		return &p.time
	case "requestReceivedTimestamp":
		return &p.received
	case "verb":
		return &p.verb
	case "auditID":
		return &p.id
	case "requestURI":
		return &p.uri
	case "user":
		return &p.user
	case "impersonatedUser":
		return &p.impersonated
	case "userAgent":
		return &p.agent
	case "objectRef":
		return &p.ref
	case "responseStatus":
		return &p.status
	case "requestObject":
		return &p.requestObject
	case "responseObject":
		return &p.responseObject
	case "annotations":
		return &p.annotations
	}
	return nil
}

// isEvent reports whether the parts are those of an event. The members that every event has
// are required, so that other JSON does not count as an event.
func (p *parts) isEvent() bool {
	return p.verb != nil && p.stage != nil && p.id != nil
}

// isFinal reports whether the event is the last one of its request.
func (p *parts) isFinal() bool {
	stage := unquoted(p.stage)
	return string(stage) == string(auditv1.StageResponseComplete) ||
		string(stage) == string(auditv1.StagePanic)
}

// isRelevant reports whether the request may have changed something, or webhooks
// received it.
func (p *parts) isRelevant() bool {
	return mutating[string(unquoted(p.verb))] ||
		bytes.Contains(p.annotations, []byte("admission.k8s.io/"))
}

// unquoted returns a string without its quotes. It does not decode escapes, which names of
// Kubernetes do not have.
func unquoted(value []byte) []byte {
	if len(value) < len(`""`) || value[0] != '"' {
		return nil
	}
	return value[1 : len(value)-1]
}

// event decodes the parts. It returns false if an annotation is broken.
func (p *parts) event(names *interner) (*Event, bool) {
	e := &Event{
		Level:          auditv1.Level(names.text(unquoted(p.level))),
		AuditID:        rawjson.Text(p.id),
		Verb:           names.text(unquoted(p.verb)),
		URI:            rawjson.Text(p.uri),
		UserAgent:      names.string(rawjson.Text(p.agent)),
		RequestObject:  body(p.requestObject),
		ResponseObject: body(p.responseObject),
		Annotations:    body(p.annotations),
	}
	e.Time, e.Received = stageTime(p.time), stageTime(p.received)
	e.User = user(p.user, names)
	if p.impersonated != nil && string(p.impersonated) != "null" {
		e.User = user(p.impersonated, names)
	}
	e.refer(p.ref, names)
	rawjson.Members(p.status, 0, func(key, value []byte) bool {
		switch string(key) {
		case "code":
			e.Code, _ = strconv.Atoi(string(value)) // 0 is no failure
		case "message":
			e.Message = rawjson.Text(value)
		}
		return true
	})
	return e, e.annotate(p.annotations, names)
}

// body returns a body; nil for null.
func body(value []byte) []byte {
	if string(value) == "null" {
		return nil
	}
	return value
}

// stageTime returns a time in UTC, as servers write it; the zero time if it is none.
func stageTime(value []byte) time.Time {
	t, err := time.Parse(time.RFC3339Nano, string(unquoted(value)))
	if t = t.UTC(); err != nil || t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

func user(value []byte, names *interner) User {
	var u User
	rawjson.Members(value, 0, func(key, v []byte) bool {
		switch string(key) {
		case "username":
			u.Name = names.string(rawjson.Text(v))
		case "uid":
			u.UID = names.string(rawjson.Text(v))
		case "extra":
			u.Extra = body(v)
		case "groups":
			rawjson.Items(v, func(item []byte) bool {
				u.Groups = append(u.Groups, names.string(rawjson.Text(item)))
				return true
			})
		}
		return true
	})
	return u
}

// refer reads the reference to the object.
func (e *Event) refer(value []byte, names *interner) {
	rawjson.Members(value, 0, func(key, v []byte) bool {
		switch string(key) {
		case "resource":
			e.Ref.Resource = names.string(rawjson.Text(v))
		case "namespace":
			e.Ref.Namespace = names.string(rawjson.Text(v))
		case "name":
			e.Ref.Name = rawjson.Text(v)
		case "apiGroup":
			e.Ref.APIGroup = names.string(rawjson.Text(v))
		case "apiVersion":
			e.Ref.APIVersion = names.string(rawjson.Text(v))
		case "subresource":
			e.Ref.Subresource = names.string(rawjson.Text(v))
		}
		return true
	})
}

// KindOf returns the kind of a body; empty if it has none.
func KindOf(object json.RawMessage) schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(rawjson.Text(rawjson.Lookup(object, "apiVersion")),
		rawjson.Text(rawjson.Lookup(object, "kind")))
}

// metadataName returns the name in a body.
func metadataName(object []byte) string {
	return rawjson.Text(rawjson.Lookup(object, "metadata", "name"))
}
