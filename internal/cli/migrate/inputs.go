package migrate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// inputs collects the webhooks of configurations.
type inputs struct {
	items    []*Item
	problems []error
	taken    names
	first    map[identity]first
}

// identity is unique among the configurations of a cluster.
type identity struct{ kind, name string }

// first is the first configuration of a name.
type first struct {
	registration.Configuration
	at manifest.Position
}

// add adds the webhooks of a document. The same configuration may be there twice.
func (in *inputs) add(d *manifest.Document) {
	c, problems := source.Parse(d.JSON)
	for _, problem := range problems {
		in.problems = append(in.problems, d.Blame(problem))
	}
	if len(problems) > 0 {
		return
	}
	id := identity{d.Kind.Kind, c.GetName()}
	if before, taken := in.first[id]; taken {
		if !equality.Semantic.DeepEqual(before.Configuration, c) {
			in.problems = append(in.problems, d.Wrap("metadata.name",
				fmt.Errorf("metadata.name: %q is already defined in %s", c.GetName(), before.at)))
		}
		return
	}
	in.first[id] = first{c, d.Position}
	for i, w := range webhookconfig.Webhooks([]runtime.Object{c}) {
		in.items = append(in.items, newItem(d, i, w, in.taken))
	}
}
