package probe

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"

	"example.com/gatehouse/admission"
)

// Sample is a request that is sent to webhooks.
type Sample struct {
	// Name is unique: "CREATE pods/web in shop".
	Name string
	// Request is never modified.
	Request *admission.Request
}

// Samples names requests. Equal names get a number.
func Samples(requests []*admission.Request) []*Sample {
	seen := map[string]int{}
	samples := make([]*Sample, len(requests))
	for i, r := range requests {
		name := nameOf(r)
		seen[name]++
		if n := seen[name]; n > 1 {
			name = fmt.Sprintf("%s #%d", name, n)
		}
		samples[i] = &Sample{Name: name, Request: r}
	}
	return samples
}

func nameOf(r *admission.Request) string {
	text := string(r.Operation) + " " + r.Resource.GroupResource().String()
	if name := objectName(r); name != "" {
		text += "/" + name
	}
	if r.Subresource != "" {
		text += "/" + r.Subresource
	}
	if r.Namespace != "" {
		text += " in " + r.Namespace
	}
	return text
}

// objectName returns the object's name or generateName.
func objectName(r *admission.Request) string {
	object := r.Object
	if object == nil {
		object = r.OldObject
	}
	m, err := meta.Accessor(object)
	if r.Name != "" || err != nil {
		return r.Name
	}
	return cmp.Or(m.GetName(), m.GetGenerateName())
}
