package history

import (
	"encoding/json"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/rawjson"
)

// addStates adds the states of the object: as it was stored, as the user sent it, after each
// webhook, and as the answer has it.
func (r *request) addStates() {
	e := r.event
	if !e.Mutates() || operations[e.Verb] == "DELETE" || len(e.RequestObject) == 0 {
		return
	}
	if r.stored.object != nil {
		r.add(r.stored.object, explain.Writer{By: explain.ByStored})
	} else if e.Verb == "update" && e.HasWholeObject() {
		r.problem("the log does not have the old object:" +
			" all fields of the request are shown as the user's")
	}
	sent := r.sent()
	if sent == nil {
		r.states = nil
		return
	}
	r.add(sent, explain.Writer{By: explain.ByUser})
	r.addDefaults(explain.Writer{By: explain.ByDefaulting})
	for i := range e.Calls {
		r.addCall(&e.Calls[i])
	}
	r.addAnswer()
}

func (r *request) add(object json.RawMessage, by explain.Writer) {
	r.states = append(r.states, explain.State{
		Kind: schema.GroupVersionKind(r.explanation.Request.Kind), Object: clone(object), By: by})
}

// last returns the last state.
func (r *request) last() json.RawMessage { return r.states[len(r.states)-1].Object }

// sent returns the object that the request sends; nil if it is not known.
func (r *request) sent() json.RawMessage {
	e := r.event
	if e.Verb != "patch" {
		if e.RequestObject[0] != '{' {
			r.problem("the body of the request is not an object")
			return nil
		}
		return e.RequestObject
	}
	if r.stored.object == nil {
		r.problem("the log has the patch of this request, but not the old object:" +
			" the writers of fields are unknown")
		return nil
	}
	object, doubt, err := r.known.merged(r.stored, e)
	if err != nil {
		r.problem("the patch of the request does not apply to the old object:" +
			" the writers of fields are unknown")
		return nil
	}
	if doubt != "" {
		r.problem("%s", doubt)
	}
	return object
}

// addDefaults adds the state with the defaults of a built-in kind.
func (r *request) addDefaults(by explain.Writer) {
	if object, ok := r.known.defaulted(r.last()); ok {
		r.add(object, by)
	}
}

// addCall adds the state after the patch of a webhook. A patch that does not apply to all of
// the object is applied as far as it does: the server may have defaults that are not known.
func (r *request) addCall(c *auditlog.Call) {
	if !c.Mutating || c.Patch == nil {
		return
	}
	by := explain.Writer{By: explain.ByWebhook, Webhook: c.Webhook, Configuration: c.Configuration,
		Round: c.Round, Index: c.Index}
	object, err := r.known.patched(r.last(), c.Patch)
	if err != nil {
		r.problem("the patch of %s in round %d does not apply to the object in the log,"+
			" which the server may have defaulted or converted: only some operations are applied",
			c.Webhook, c.Round)
		object = r.patchedPartly(c.Patch)
	}
	r.add(object, by)
	by.By = explain.ByDefaulting
	r.addDefaults(by)
}

// maxOperations bounds how many operations of a patch are read one by one: each reads all of
// the object. More only reach it from a log that is made for it.
const maxOperations = 1000

// firstOperations calls visit for each of the first operations of a patch, and reports whether
// these are all.
func firstOperations(patch json.RawMessage, visit func(operation []byte)) (all bool) {
	left := maxOperations
	rawjson.Items(patch, func(operation []byte) bool {
		left--
		if left >= 0 {
			visit(operation)
		}
		return left >= 0
	})
	return left >= 0
}

// patchedPartly applies each operation of a patch that can be applied. It makes the maps that
// a value is added to.
func (r *request) patchedPartly(operations json.RawMessage) json.RawMessage {
	object := r.last()
	all := firstOperations(operations, func(operation []byte) {
		single := append(append([]byte{'['}, operation...), ']')
		patched, err := r.known.patched(object, single)
		if err != nil {
			patched, err = mergePatch(object, nested(operation))
		}
		if err == nil {
			object = patched
		}
	})
	if !all {
		r.problem("only the first %d operations are applied", maxOperations)
	}
	return object
}

// maxDepth bounds the path of an operation: each of its keys copies the value.
const maxDepth = 100

// nested returns the value of an operation within the maps of its path, as a merge patch.
func nested(operation []byte) []byte {
	value := rawjson.Lookup(operation, "value")
	if value == nil {
		return nil
	}
	keys := rawjson.Keys(rawjson.Text(rawjson.Lookup(operation, "path")))
	if len(keys) > maxDepth {
		return nil
	}
	for _, key := range slices.Backward(keys) {
		if _, err := strconv.Atoi(key); err == nil || key == "-" {
			return nil // an item of a list
		}
		quoted, _ := json.Marshal(key) // a string can be encoded
		value = slices.Concat([]byte("{"), quoted, []byte(":"), value, []byte("}"))
	}
	return value
}

// addAnswer adds the state of the answer, and compares what the webhooks wrote with it.
func (r *request) addAnswer() {
	answer := r.event.ResponseObject
	if r.event.Failed() || answer == nil || isStatus(answer) {
		return
	}
	before := r.last()
	for i := range r.event.Calls {
		r.compare(&r.event.Calls[i], before, answer)
	}
	r.add(answer, explain.Writer{By: explain.ByServer})
}

// compare adds a problem for each path of a patch that has another value in the answer.
func (r *request) compare(c *auditlog.Call, before, answer json.RawMessage) {
	all := firstOperations(c.Patch, func(operation []byte) {
		pointer := rawjson.Text(rawjson.Lookup(operation, "path"))
		keys := rawjson.Keys(pointer)
		was, is := rawjson.Lookup(before, keys...), rawjson.Lookup(answer, keys...)
		if len(keys) > 0 && was != nil && !sameJSON(was, is) {
			path, err := explain.ParsePath(pointer)
			if err == nil {
				r.problem("the stored value of %[2]s is not the one that %[1]s wrote", c.Webhook, path)
			}
		}
	})
	if !all {
		r.problem("only the first %d operations of %s are compared with the stored object",
			maxOperations, c.Webhook)
	}
}

// sameJSON reports whether the second value has all of the first: the server may add
// defaults to it.
func sameJSON(part, whole json.RawMessage) bool {
	if whole == nil {
		return false
	}
	differences, err := explain.Subset(part, whole)
	return err == nil && len(differences) == 0
}
