package faultserver

import (
	"bytes"
	_ "embed" // for named.jsonl
	"encoding/json"
	"fmt"
)

// Fault is a script with a name.
type Fault struct {
	Name    string `json:"name"`    // lower case, with hyphens; it will not change
	Summary string `json:"summary"` // what is wrong, on one line
	Script  Script `json:"script"`  // what the server does about it
}

// named has a fault per line. It is JSON because it is also the place to look
// for how scripts are written.
//
//go:embed named.jsonl
var named []byte

// Named returns the faults that have names, grouped by kind: connections, time,
// denials, HTTP, bodies, reviews, patches, warnings and annotations, TLS,
// HTTP/2. The caller owns the result.
func Named() []Fault {
	var faults []Fault
	for line := range bytes.Lines(named) {
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		var fault Fault
		if err := decoder.Decode(&fault); err != nil {
			panic(fmt.Sprintf("faultserver: named.jsonl: %v: repair the line %s", err, line))
		}
		faults = append(faults, fault)
	}
	return faults
}

// Lookup returns the fault of that name.
func Lookup(name string) (Fault, bool) {
	for _, fault := range Named() {
		if fault.Name == name {
			return fault, true
		}
	}
	return Fault{}, false
}
