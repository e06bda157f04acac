package expect

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// members are the keys of JSON patch operations, in the order of comparison.
func members() [4]string { return [...]string{"op", "path", "from", "value"} }

func (c *compiler) operations(field string, raw []json.RawMessage) []operation {
	if raw == nil {
		return nil
	}
	made := make([]operation, len(raw))
	for i := range raw {
		op, err := readOperation(raw[i])
		if err != nil {
			c.mistake(fmt.Sprintf("%s[%d]", field, i), err)
		}
		made[i] = op
	}
	return made
}

// readOperation decodes an operation. It rejects unknown keys, which may be
// misspelled.
func readOperation(raw json.RawMessage) (operation, error) {
	var op operation
	if err := json.Unmarshal(raw, &op); err != nil || op == nil {
		return nil, errors.New("must be a map, an operation of a JSON patch")
	}
	known := members()
	for _, key := range slices.Sorted(maps.Keys(op)) {
		if !slices.Contains(known[:], key) {
			return nil, fmt.Errorf("operations of JSON patches have no %s", quoted(key))
		}
	}
	for _, key := range []string{"op", "path"} {
		var text *string
		if err := json.Unmarshal(op[key], &text); err != nil || text == nil {
			return nil, fmt.Errorf("needs %q, a string", key)
		}
	}
	return op, nil
}
