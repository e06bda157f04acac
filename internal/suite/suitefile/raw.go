package suitefile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// rawCases returns the undecoded fields of each case: a struct does not
// distinguish absent, null and empty fields.
func (r *reader) rawCases() []map[string]json.RawMessage {
	var file struct {
		Cases []map[string]json.RawMessage `json:"cases"`
	}
	// decode has succeeded before.
	_ = json.Unmarshal(r.document.JSON, &file)
	return append(file.Cases, make([]map[string]json.RawMessage, len(r.file.Cases))...)
}

// checkRaw rejects null and empty values, which decode like absent fields: such
// an expectation would always be met.
func checkRaw(at fieldPath, expect map[string]json.RawMessage) {
	checkNulls(at, expect, "warnings", "patch", "called")
	if string(expect["golden"]) == `""` {
		at.at("golden").wrong("the path is empty")
	}
	checkRawItems(at.at("webhooks"), expect["webhooks"], outcomes(), "warnings", "patch")
	checkRawItems(at.at("policies"), expect["policies"], PolicyOutcomes())
}

// checkRawItems is checkRaw for expectations of webhooks or policies, with their
// outcomes. lists are the fields that may be empty.
func checkRawItems(at fieldPath, list json.RawMessage, outcomes []string, lists ...string) {
	var items []map[string]json.RawMessage
	// decode has succeeded before; an absent field has no items.
	_ = json.Unmarshal(list, &items)
	for i, fields := range items {
		at := at.item(i)
		checkNulls(at, fields, lists...)
		if string(fields["outcome"]) == `""` {
			at.at("outcome").wrong(`"": must be one of %s`, strings.Join(outcomes, ", "))
		}
	}
}

// checkNulls reports null fields, and null items of warnings. lists are the
// fields that may be empty.
func checkNulls(at fieldPath, fields map[string]json.RawMessage, lists ...string) {
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
