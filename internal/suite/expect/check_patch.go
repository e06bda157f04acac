package expect

import (
	"bytes"
	"encoding/json"
	"fmt"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// patch compares the operations of calls. If there are not as many as expected, it is of
// no use to compare them one by one.
func (c *checker) patch(field string, want []operation, calls []admission.Call) {
	if want == nil {
		return
	}
	got, err := applied(calls)
	switch {
	case err != nil:
		c.fail(field, "", "", "it cannot be compared: %s", shown(err.Error()))
	case len(want) != len(got):
		wanted, came := inShort(want), inShort(got)
		c.fail(field, fmt.Sprint(wanted), fmt.Sprint(came), "want %s, got %d%s",
			counted(len(want), "operation"), len(got), after(listed(came)))
	default:
		for i := range want {
			c.operation(fmt.Sprintf("%s[%d].", field, i), want[i], got[i])
		}
	}
}

// applied returns the operations that were applied, in order.
func applied(calls []admission.Call) ([]operation, error) {
	var all []operation
	for i := range calls {
		if calls[i].Patch == nil {
			continue
		}
		var patch []operation
		if err := json.Unmarshal(calls[i].Patch, &patch); err != nil {
			return nil, fmt.Errorf("reading the patch of %s: %w", calls[i].Webhook.Name, err)
		}
		all = append(all, patch...)
	}
	return all, nil
}

// operation compares what is expected of an operation. The path decides whether a value can
// be shown.
func (c *checker) operation(field string, want, got operation) {
	for _, key := range members() {
		wanted, ok := want[key]
		came := got[key]
		if !ok || came != nil && Same(wanted, came) {
			continue
		}
		show := c.safeJSON
		if key == "value" && (c.hidesPointer(want["path"]) || c.hidesPointer(got["path"])) {
			show = hide
		}
		c.compared(Failure{Field: field + key}, c.about(field+key), show(wanted), show(came))
	}
}

// Same reports whether two values in JSON are equal, however they are written.
func Same(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	changes, err := explain.Diff(a, b)
	return err == nil && len(changes) == 0
}

// inShort returns operations without their values.
func inShort(patch []operation) []string {
	words := make([]string, len(patch))
	for i, op := range patch {
		words[i] = text(op["op"]) + " " + text(op["path"])
	}
	return words
}

// text is a string in JSON; the JSON itself if it is none.
func text(raw json.RawMessage) string {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return string(raw)
	}
	return s
}
