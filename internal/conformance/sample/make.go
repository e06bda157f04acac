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

// Config is the input of Make.
type Config struct {
	// Configurations hold the webhooks, in v1.
	Configurations []runtime.Object
	// Definitions are the CustomResourceDefinitions; Kinds knows all kinds.
	// Required.
	Definitions []*apiextensionsv1.CustomResourceDefinition
	Kinds       *kinds.Registry
	// Given are the caller's requests. If there are none, Make makes requests
	// from the rules.
	Given []*admission.Request
	// Namespaces are the described namespaces.
	Namespaces []*corev1.Namespace
}

// Set is the result of Make.
type Set struct {
	// Requests are the samples: the given ones first, then those that Make
	// derived.
	Requests []*admission.Request
	// Namespaces are the described ones and those of the requests.
	Namespaces []*corev1.Namespace
	// Skipped are the errors of requests that could not be made.
	Skipped []error
}

// Make makes samples. If the context ends, the Set is incomplete.
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
	set.Namespaces = m.requiredNamespaces(set.Requests)
	return set
}

// maker makes one Set.
type maker struct {
	Config
	// ctx is that of Make; a maker does not outlive the call.
	ctx       context.Context
	webhooks  []*webhook
	resources []kinds.Resource
	// actions caches the actions on each resource; families are the resources
	// that store the same objects, by their canonical name. Every rule and
	// every request needs them.
	actions  map[schema.GroupVersionResource][]action
	families map[schema.GroupResource][]schema.GroupResource
	// namespaces are the described ones, and those that were made.
	namespaces []*corev1.Namespace
	// named counts the named objects of each resource.
	named   map[string]int
	skipped []error
}

// webhook is a webhook with its selectors.
type webhook struct {
	*admission.Webhook
	// objects and namespaces are the parsed objectSelector and
	// namespaceSelector.
	objects, namespaces labels.Selector
}

func newMaker(ctx context.Context, c Config) *maker {
	m := &maker{
		Config:     c,
		ctx:        ctx,
		namespaces: slices.Clone(c.Namespaces),
		named:      map[string]int{},
		actions:    map[schema.GroupVersionResource][]action{},
		families:   map[schema.GroupResource][]schema.GroupResource{},
	}
	for at := range c.Kinds.Resources() {
		m.addResource(at)
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
		m.webhooks = append(m.webhooks,
			&webhook{w, parsed(w.ObjectSelector), parsed(w.NamespaceSelector)})
	}
	return m
}

// skip records an error once. Errors after the end of the context are dropped.
func (m *maker) skip(err error) {
	if m.ctx.Err() == nil &&
		!slices.ContainsFunc(m.skipped, func(known error) bool { return known.Error() == err.Error() }) {
		m.skipped = append(m.skipped, err)
	}
}
