package fault

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Outcome is what can be seen of a run from outside.
type Outcome struct {
	Verdict     Verdict
	Code        int    // of a denial
	Reason      string // of a denial
	Message     string // of a denial, or what was thrown
	Changed     bool   // whether the object is another one now
	Metrics     []string
	Annotations map[string]string
	Warnings    []string
	Calls       int // requests that servers got
	Elsewhere   int // connections to the second origin
	Credentials int // requests, to either origin, with a credential
}

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

// brief keeps texts and lists readable, and still tells them apart.
func (o *Outcome) brief(names *strings.Replacer) {
	text := func(s string) string { return shorten(plain(names.Replace(s))) }
	o.Message = text(o.Message)
	if len(o.Warnings) > few {
		o.Warnings = append(o.Warnings[:1:1], summary(o.Warnings))
	}
	for i := range o.Warnings {
		o.Warnings[i] = text(o.Warnings[i])
	}
	if len(o.Annotations) > few {
		o.Annotations = summarize(o.Annotations)
	}
	for key, value := range o.Annotations {
		o.Annotations[key] = text(value)
	}
}

// few is how many annotations or warnings are shown as they are.
const few = 12

// summarize keeps the annotations of the plugins.
func summarize(all map[string]string) map[string]string {
	kept, others := map[string]string{}, []string{}
	for key, value := range all {
		if strings.Contains(key, "webhook.admission.k8s.io/") {
			kept[key] = value
			continue
		}
		others = append(others, key+"="+value)
	}
	slices.Sort(others)
	kept["others"] = summary(others)
	return kept
}

func summary(list []string) string {
	return fmt.Sprintf("%d in all, %s", len(list), digest(strings.Join(list, "\n")))
}

// shorten cuts what nobody reads.
func shorten(s string) string {
	if len(s) <= 600 {
		return s
	}
	return fmt.Sprintf("%s… %d bytes, %s", strings.ToValidUTF8(s[:60], ""), len(s), digest(s))
}

func digest(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s)))[:8] }

// What differs from run to run.
var (
	ports = regexp.MustCompile(`127\.0\.0\.1:[0-9]+`)
	uids  = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	times = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z`)
)

func plain(s string) string {
	s = ports.ReplaceAllString(s, "{{port}}")
	s = uids.ReplaceAllString(s, "{{uid}}")
	return times.ReplaceAllString(s, "{{time}}")
}

// Diff says where an outcome is not what was promised, one line for each.
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
	differ("changed", fmt.Sprint(promised.Changed), fmt.Sprint(observed.Changed))
	differ("metrics", promised.Metrics, observed.Metrics)
	differ("annotations", pairs(promised.Annotations), pairs(observed.Annotations))
	differ("warnings", promised.Warnings, observed.Warnings)
	differ("calls", fmt.Sprint(promised.Calls), fmt.Sprint(observed.Calls))
	differ("elsewhere", fmt.Sprint(promised.Elsewhere), fmt.Sprint(observed.Elsewhere))
	differ("credentials", fmt.Sprint(promised.Credentials), fmt.Sprint(observed.Credentials))
	return lines
}

func pairs(m map[string]string) []string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		list = append(list, key+"="+m[key])
	}
	return list
}
