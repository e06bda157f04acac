package sample

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// Config says what samples are made of.
type Config struct {
	// Configurations hold the webhooks, in v1.
	Configurations []runtime.Object
	// Definitions are the custom kinds, and Kinds knows all kinds. Required.
	Definitions []*apiextensionsv1.CustomResourceDefinition
	Kinds       *kinds.Registry
	// Given are the requests that there are; if there are none, some are made for the
	// rules of the webhooks.
	Given []*admission.Request
	// Namespaces are those that are described.
	Namespaces []*corev1.Namespace
}

// Set is what was made.
type Set struct {
	// Requests are the samples: the given ones first, then what follows from them.
	Requests []*admission.Request
	// Namespaces are the given ones, and those that the requests need besides.
	Namespaces []*corev1.Namespace
	// Skipped says what could not be made, and why.
	Skipped []error
}

// Make makes samples. If the context ends before, the Set lacks some.
func Make(ctx context.Context, c Config) *Set {
	m := newMaker(ctx, c)
	subjects := m.given()
	if len(c.Given) == 0 {
		subjects = m.made()
	}
	nameless := m.nameless(subjects)
	if len(c.Given) > 0 {
		subjects = slices.Concat(subjects, m.connected(subjects))
	}
	var candidates []*admission.Request
	for _, s := range subjects {
		candidates = append(candidates, m.expand(s)...)
	}
	candidates = append(candidates, nameless...)
	set := &Set{Requests: slices.Concat(c.Given, m.pick(candidates)), Skipped: m.skipped}
	set.Namespaces = m.needed(set.Requests)
	return set
}

// maker makes one Set.
type maker struct {
	Config
	// ctx is that of Make, beyond which no maker lives.
	ctx       context.Context
	webhooks  []*webhook
	resources []kinds.Resource
	// possibles says what can be asked of the objects of each of the resources, and
	// families which of them hold the same objects, under the one that stands for all.
	// Every rule and every request wants to know.
	possibles map[schema.GroupVersionResource][]ask
	families  map[schema.GroupResource][]schema.GroupResource
	// around are the namespaces that are described, and those that were made.
	around []*corev1.Namespace
	// named says how many objects of a resource have a name.
	named   map[string]int
	skipped []error
}

// webhook is one that samples are made for.
type webhook struct {
	*admission.Webhook
	// objects and namespaces are its selectors.
	objects, namespaces labels.Selector
}

func newMaker(ctx context.Context, c Config) *maker {
	m := &maker{
		Config: c, ctx: ctx, around: slices.Clone(c.Namespaces), named: map[string]int{},
		possibles: map[schema.GroupVersionResource][]ask{}, families: map[schema.GroupResource][]schema.GroupResource{},
	}
	for at := range c.Kinds.Resources() {
		m.learn(at)
	}
	var defaulted []runtime.Object
	for _, one := range c.Configurations {
		copied := one.DeepCopyObject()
		if known, ok := copied.(registration.Configuration); ok {
			registration.Default(known)
		}
		defaulted = append(defaulted, copied)
	}
	for _, w := range webhookconfig.Webhooks(defaulted) {
		m.webhooks = append(m.webhooks, &webhook{w, parsed(w.ObjectSelector), parsed(w.NamespaceSelector)})
	}
	return m
}

// skip notes why something could not be made, once. That the context has ended says
// nothing about what was to be made.
func (m *maker) skip(err error) {
	if m.ctx.Err() == nil && !slices.ContainsFunc(m.skipped, func(known error) bool { return known.Error() == err.Error() }) {
		m.skipped = append(m.skipped, err)
	}
}
