package suitefile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// written returns the fields of each case as they are written: a struct cannot tell what is
// absent from what is null or empty.
func (r *reader) written() []map[string]json.RawMessage {
	var file struct {
		Cases []map[string]json.RawMessage `json:"cases"`
	}
	// It has been decoded before, and more strictly.
	_ = json.Unmarshal(r.document.JSON, &file)
	return append(file.Cases, make([]map[string]json.RawMessage, len(r.file.Cases))...)
}

// checkWritten reports what would be taken for something of which nothing is said, and so
// pass, whatever comes of the request. That is hardly what it was written for.
func checkWritten(at place, expect map[string]json.RawMessage) {
	checkNulls(at, expect, "warnings", "patch", "called")
	if string(expect["golden"]) == `""` {
		at.at("golden").wrong("the path is empty")
	}
	var webhooks []map[string]json.RawMessage
	// It has been decoded before; if it is absent there is nothing to look at.
	_ = json.Unmarshal(expect["webhooks"], &webhooks)
	for i, fields := range webhooks {
		at := at.at("webhooks").item(i)
		checkNulls(at, fields, "warnings", "patch")
		if string(fields["outcome"]) == `""` {
			at.at("outcome").wrong(`"": must be one of %s`, strings.Join(outcomes(), ", "))
		}
	}
}

// checkNulls reports fields that are null, of which some are lists that may be empty, and
// warnings that are.
func checkNulls(at place, fields map[string]json.RawMessage, lists ...string) {
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		switch at := at.at(field); {
		case present(fields[field]) || field == "name": // which is required
		case slices.Contains(lists, field):
			at.wrong("is null: write [] for none, or leave it out")
		case field == "reason":
			at.wrong(`is null: write "" for none, or leave it out`)
		default:
			at.wrong("is null: give it a value, or leave it out")
		}
	}
	var warnings []json.RawMessage
	_ = json.Unmarshal(fields["warnings"], &warnings) // as above
	for i, text := range warnings {
		if !present(text) {
			at.at(fmt.Sprintf("warnings[%d]", i)).wrong("is null: write a regular expression")
		}
	}
}
