package fault

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Outcome is what can be seen of a run from outside.
type Outcome struct {
	Verdict     Verdict
	Code        int    // of a denial
	Reason      string // of a denial
	Message     string // of a denial, or what was thrown
	Details     string // of a denial, as JSON
	Object      string // as JSON, if it is another one than before
	Took        time.Duration
	Metrics     []string
	Annotations map[string]string
	Warnings    []string
	Calls       int      // requests that servers got
	Connections int      // to the first origin; anyNumber if nothing is promised
	Elsewhere   int      // connections to the second origin
	Credentials int      // headers, at either origin, with a credential
	Problems    []string // steps of the script that could not be done
}

// anyNumber is promised where nothing is.
const anyNumber = -1

// Verdict is how a run ended.
type Verdict string

// The verdicts.
const (
	Allowed  Verdict = "allowed"
	Denied   Verdict = "denied"   // an error with a status
	Failed   Verdict = "failed"   // an error without one
	Panicked Verdict = "panicked" // a panic left the plugin
	Hung     Verdict = "hung"     // it did not return
)

// Diff returns the differences from the promised outcome, one line for each.
// Clock.Diff compares Took.
func Diff(promised, observed Outcome) []string {
	var lines []string
	differ := func(what string, want, got any) {
		if w, g := fmt.Sprintf("%q", want), fmt.Sprintf("%q", got); w != g {
			lines = append(lines, fmt.Sprintf("%s: promised %s, observed %s", what, w, g))
		}
	}
	differ("verdict", promised.Verdict, observed.Verdict)
	differ("code", fmt.Sprint(promised.Code), fmt.Sprint(observed.Code))
	differ("reason", promised.Reason, observed.Reason)
	differ("message", promised.Message, observed.Message)
	differ("details", promised.Details, observed.Details)
	differ("object", promised.Object, observed.Object)
	differ("metrics", promised.Metrics, observed.Metrics)
	differ("annotations", pairs(promised.Annotations), pairs(observed.Annotations))
	differ("warnings", promised.Warnings, observed.Warnings)
	differ("calls", fmt.Sprint(promised.Calls), fmt.Sprint(observed.Calls))
	if promised.Connections != anyNumber {
		differ("connections", fmt.Sprint(promised.Connections), fmt.Sprint(observed.Connections))
	}
	differ("elsewhere", fmt.Sprint(promised.Elsewhere), fmt.Sprint(observed.Elsewhere))
	differ("credentials", fmt.Sprint(promised.Credentials), fmt.Sprint(observed.Credentials))
	differ("problems", promised.Problems, observed.Problems)
	return lines
}

func pairs(m map[string]string) []string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		list = append(list, key+"="+m[key])
	}
	return list
}
