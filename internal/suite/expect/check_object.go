package expect

import (
	"encoding/json"
	"fmt"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
)

// maxDifferences is the number of differences that are reported one by one.
const maxDifferences = 20

// Object returns the final object as JSON, with apiVersion and kind, which
// typed objects may lack. It is nil if there is none, as after DELETE.
func Object(r *admission.Response) (json.RawMessage, error) {
	object := r.Object
	if object == nil {
		return nil, nil
	}
	if object.GetObjectKind().GroupVersionKind().Empty() && r.Request != nil {
		object = object.DeepCopyObject()
		object.GetObjectKind().SetGroupVersionKind(r.Request.Kind)
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encoding the final object: %w", err)
	}
	return text, nil
}

// Differences returns a failure for each of the first differences, and one that
// counts the rest.
func Differences(field string, r *admission.Response, found []explain.Difference) []Failure {
	c := newChecker(r)
	c.differences(field, found)
	return c.failures
}

func (c *checker) object(want json.RawMessage) {
	if want == nil {
		return
	}
	got, err := Object(c.response)
	if err == nil && got == nil {
		c.fail("object", "", "", "there is none")
		return
	}
	var found []explain.Difference
	if err == nil {
		found, err = explain.Subset(want, got)
	}
	if err != nil {
		c.fail("object", "", "", "it cannot be compared: %s", shown(err.Error()))
		return
	}
	c.differences("object", found)
}

func (c *checker) differences(field string, found []explain.Difference) {
	for i := range found[:min(len(found), maxDifferences)] {
		c.difference(field, &found[i])
	}
	if rest := len(found) - maxDifferences; rest > 0 {
		c.fail(field, "", "", "and %s", message.Count(rest, "more difference"))
	}
}

func (c *checker) difference(field string, d *explain.Difference) {
	show := c.safeJSON
	if c.hides(d.Path) {
		show = hide
	}
	where := field
	if d.Name != "" {
		where += ": " + shown(d.Name)
	}
	f := Failure{Field: field, Path: d.Path.String()}
	wanted, got := items(d.Want), items(d.Got)
	if wanted >= 0 && got >= 0 && wanted != got {
		f.Want, f.Got = show(d.Want), show(d.Got)
		f.Text = fmt.Sprintf("%s: want %s, got %d: %s", where, message.Count(wanted, "item"),
			got, shown(f.Got))
		c.failures = append(c.failures, f)
		return
	}
	c.compared(f, where, show(d.Want), show(d.Got))
}

// items returns the length of a list; -1 for other values.
func items(raw json.RawMessage) int {
	if len(raw) == 0 || raw[0] != '[' {
		return -1
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return -1
	}
	return len(list)
}

// compared adds a failure about two JSON values, of which "" means absent.
// Values that look equal are hidden.
func (c *checker) compared(f Failure, where, want, got string) {
	f.Want, f.Got = want, got
	switch {
	case want == "":
		f.Text = fmt.Sprintf("%s: want it absent, got %s", where, shown(got))
	case got == "":
		f.Text = fmt.Sprintf("%s: want %s, but it is absent", where, shown(want))
	case want == got:
		f.Text = where + ": differs (both are hidden)"
	default:
		f.Text = fmt.Sprintf("%s: want %s, got %s", where, shown(want), shown(got))
	}
	c.failures = append(c.failures, f)
}
