package expect

import (
	"encoding/json"
	"fmt"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// mostDifferences is of how many parts of an object failures tell; the rest is counted.
const mostDifferences = 20

// Object returns the JSON of the final object, with its apiVersion and kind, which typed
// objects may have lost. It is nil if there is none, as after DELETE.
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

// Differences makes failures of where the final object is not as a field of an expectation
// wants it: one for each of the first, and one that counts the rest.
func Differences(field string, r *admission.Response, found []explain.Difference) []Failure {
	c := &checker{response: r}
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
	for i := range found[:min(len(found), mostDifferences)] {
		c.difference(field, &found[i])
	}
	if rest := len(found) - mostDifferences; rest > 0 {
		c.fail(field, "", "", "and %s", counted(rest, "more difference"))
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
		f.Text = fmt.Sprintf("%s: want %s, got %d: %s", where, counted(wanted, "item"), got, shown(f.Got))
		c.failures = append(c.failures, f)
		return
	}
	c.compared(f, where, show(d.Want), show(d.Got))
}

// items counts those of a list; it is negative if there is none.
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

// compared adds a failure about two values in JSON, of which "" is none. Where they look
// alike it is because they are not to be shown.
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
