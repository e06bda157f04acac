package expect

import (
	"bytes"
	"encoding/json"
	"fmt"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
)

// patch compares operations one by one, if their number is as expected.
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
			message.Count(len(want), "operation"), len(got), afterColon(listed(came)))
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

// operation compares one operation. Its path decides whether a value may be
// shown.
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

// Same reports whether two JSON values are equal.
func Same(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	changes, err := explain.Diff(a, b)
	return err == nil && len(changes) == 0
}

// inShort formats operations without their values.
func inShort(patch []operation) []string {
	words := make([]string, len(patch))
	for i, op := range patch {
		words[i] = text(op["op"]) + " " + text(op["path"])
	}
	return words
}

// text decodes a JSON string; it returns other JSON as it is.
func text(raw json.RawMessage) string {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return string(raw)
	}
	return s
}
