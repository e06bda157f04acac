package fault

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// brief shortens texts and lists without making different ones equal.
func (o *Outcome) brief(names *strings.Replacer) {
	text := func(s string) string { return shorten(plain(names.Replace(s))) }
	o.Message, o.Details, o.Object = text(o.Message), text(o.Details), text(o.Object)
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

// shorten cuts s to a length that fits a line of a failure.
func shorten(s string) string {
	if len(s) <= 600 {
		return s
	}
	return fmt.Sprintf("%s… %d bytes, %s", strings.ToValidUTF8(s[:60], ""), len(s), digest(s))
}

func digest(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s)))[:8] }

// encoded is a value as JSON. The error of one that has no JSON differs from
// whatever was promised.
func encoded(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

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
