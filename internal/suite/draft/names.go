package draft

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// names assigns unique names.
type names struct {
	// shared are names that webhooks of several configurations have.
	shared map[string]bool
	// all are the distinct names of webhooks, and bearers the number of
	// webhooks of each name.
	all     []string
	bearers map[string]int
	// cases and files are the names in use.
	cases, files map[string]bool
}

func newNames(webhooks []*admission.Webhook) *names {
	n := &names{shared: map[string]bool{}, bearers: map[string]int{}, cases: map[string]bool{},
		files: map[string]bool{}}
	first := map[string]string{}
	for _, w := range webhooks {
		if in, ok := first[w.Name]; ok && in != w.Configuration {
			n.shared[w.Name] = true
		}
		first[w.Name] = w.Configuration
	}
	for _, w := range webhooks {
		name := n.of(w)
		if n.bearers[name] == 0 {
			n.all = append(n.all, name)
		}
		n.bearers[name]++
	}
	return n
}

// of returns the name of a webhook in the suite.
func (n *names) of(w *admission.Webhook) string {
	if n.shared[w.Name] {
		return webhookconfig.FullName(w)
	}
	return w.Name
}

// forCase returns a unique name for a case, such as "create Pod shop/web".
func (n *names) forCase(r *admission.Response) string {
	q := r.Request
	name := strings.ToLower(string(q.Operation)) + " " + q.Kind.Kind
	object := q.Name
	if object == "" {
		object = nameOf(q.Object, q.OldObject)
	}
	if q.Namespace != "" && object != q.Namespace {
		object = q.Namespace + "/" + object
	}
	if q.Subresource != "" {
		object += "/" + q.Subresource
	}
	return reserve(n.cases, name+" "+object, " (%d)")
}

// nameOf returns the name of the first object that is not nil, or its
// generateName.
func nameOf(objects ...runtime.Object) string {
	for _, o := range objects {
		if o == nil {
			continue
		}
		m, err := meta.Accessor(o)
		switch {
		case err != nil:
			return ""
		case m.GetName() != "":
			return m.GetName()
		}
		return strings.TrimRight(m.GetGenerateName(), "-")
	}
	return ""
}

// maxSlug is the length of a file name without its ending.
const maxSlug = 100

// forFile returns a unique file name, without an ending, for the name of a
// case.
func (n *names) forFile(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	slug := strings.Join(words, "-")
	return reserve(n.files, slug[:min(len(slug), maxSlug)], "-%d")
}

// reserve returns a name that is not in use, with a numbered suffix if
// necessary, and marks it.
func reserve(taken map[string]bool, name, suffix string) string {
	free := name
	for i := 2; taken[free]; i++ {
		free = name + fmt.Sprintf(suffix, i)
	}
	taken[free] = true
	return free
}
