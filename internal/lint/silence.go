package lint

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
)

// silencePrefix begins the annotations that silence findings: the rest of the key is the ID of
// the rule, and the value the reason.
const silencePrefix = "lint.gatehouse/"

// silenceComment matches the comments that do so: # gatehouse:ignore RULE: REASON.
var silenceComment = regexp.MustCompile(`^#+\s*gatehouse:ignore(?:\s+(.*))?$`)

// Silence is an annotation or a comment that silences findings.
type Silence struct {
	// Rule is the ID of the rule, and Reason why the author accepts its findings.
	Rule, Reason string
	// Position is that of the annotation or comment.
	Position manifest.Position

	document *manifest.Document
	// field is the part of the object to which it applies, and line the line; a whole object
	// has no field. It applies to nothing if nowhere is set.
	field   string
	line    int
	nowhere bool
	used    bool
}

// SilencesOf returns the annotations and comments of the inputs that silence findings, also
// the wrong ones, by file and line.
func SilencesOf(in *inventory.Inventory) []*Silence {
	var all []*Silence
	for _, d := range in.Documents() {
		all = append(all, annotations(d)...)
		for _, c := range d.Comments() {
			match := silenceComment.FindStringSubmatch(c.Text)
			if match == nil {
				continue
			}
			rule, reason, _ := strings.Cut(match[1], ":")
			at := d.Position
			at.Line = c.Line
			all = append(all, &Silence{
				Rule: strings.TrimSpace(rule), Reason: strings.TrimSpace(reason), Position: at,
				document: d, field: c.Field, line: c.Of, nowhere: c.Of == 0,
			})
		}
	}
	slices.SortStableFunc(all, func(a, b *Silence) int { return compare(a.Position, b.Position) })
	return all
}

// annotations returns those that silence findings about the whole object.
func annotations(d *manifest.Document) []*Silence {
	var object metav1.PartialObjectMetadata
	if err := json.Unmarshal(d.JSON, &object); err != nil {
		return nil // the inventory has decoded it, or does not know its kind
	}
	var all []*Silence
	for _, key := range slices.Sorted(maps.Keys(object.Annotations)) {
		if rule, ok := strings.CutPrefix(key, silencePrefix); ok {
			all = append(all, &Silence{
				Rule: rule, Reason: strings.TrimSpace(object.Annotations[key]),
				Position: d.At("metadata.annotations." + key), document: d,
			})
		}
	}
	return all
}

// Check returns what is wrong with a silence, with its position. The IDs of all rules are
// known.
func (s *Silence) Check(known []string) error {
	var err error
	switch {
	case s.Rule == "":
		err = errors.New("gatehouse:ignore: want RULE: REASON")
	case !slices.Contains(known, s.Rule):
		err = fmt.Errorf("silences %q: there is no such rule", s.Rule)
		if hint := message.DidYouMean(s.Rule, known); hint != "" {
			err = fmt.Errorf("%w: %s", err, hint)
		}
	case s.Reason == "":
		err = fmt.Errorf("silences %s without a reason: want %[1]s: REASON", s.Rule)
	default:
		return nil
	}
	return fmt.Errorf("%s: %w", s.Position, err)
}

// applies reports whether a silence is about a finding: one about the field, a part of it, or
// the line.
func (s *Silence) applies(f *Finding) bool {
	if s.Rule != f.Rule.ID || s.document != f.Document || s.nowhere || s.Reason == "" {
		return false
	}
	rest, within := strings.CutPrefix(f.Field, s.field)
	return within && (s.field == "" || rest == "" || rest[0] == '.' || rest[0] == '[') ||
		f.Position().Line == s.line
}

// silence sets the reasons of the findings that are silenced.
func silence(all []*Silence, findings []Finding) {
	for i := range findings {
		f := &findings[i]
		for _, s := range all {
			if s.applies(f) {
				f.Silenced, s.used = s.Reason, true
			}
		}
	}
}

// unused returns the silences of rules that have run, about which there is no finding.
func unused(all []*Silence, run []*Rule) []*Silence {
	return slices.DeleteFunc(all, func(s *Silence) bool {
		return s.used || !slices.ContainsFunc(run, func(r *Rule) bool { return r.ID == s.Rule })
	})
}
