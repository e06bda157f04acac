package apiserver

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
)

// rules say what is wrong with an object, beyond what the generic server finds by
// itself, and what its writer should know. They change nothing.
type rules interface {
	// Validate is about an object that would replace old, or be created if that
	// is nil.
	Validate(object, old runtime.Object) field.ErrorList
	Warnings(object runtime.Object) []string
}

// metadataRules are for resources about which no more is known.
type metadataRules struct{ resource resource }

// Validate implements rules. The generic server checks on its own that an update
// keeps what must be kept.
func (m metadataRules) Validate(object, _ runtime.Object) field.ErrorList {
	name := m.resource.name
	if name == nil {
		name = validation.NameIsDNSSubdomain
	}
	return validation.ValidateObjectMetaAccessor(metadata(object), m.resource.scope == namespaced, name, field.NewPath("metadata"))
}

// Warnings implements rules.
func (metadataRules) Warnings(runtime.Object) []string { return nil }

// strategy is a row of the table in the terms of the generic server, which calls
// it on the way to the database.
type strategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	resource resource
	rules    rules
}

var (
	_ rest.RESTCreateStrategy = strategy{}
	_ rest.RESTUpdateStrategy = strategy{}
	_ rest.RESTDeleteStrategy = strategy{}
)

func newStrategy(r resource, typer runtime.ObjectTyper) strategy {
	s := strategy{typer, names.SimpleNameGenerator, r, r.rules}
	if s.rules == nil {
		s.rules = metadataRules{r}
	}
	return s
}

// NamespaceScoped implements the strategies.
func (s strategy) NamespaceScoped() bool { return s.resource.scope == namespaced }

// AllowCreateOnUpdate implements rest.RESTUpdateStrategy.
func (s strategy) AllowCreateOnUpdate(context.Context) bool { return s.resource.puts&mayCreate != 0 }

// AllowUnconditionalUpdate implements rest.RESTUpdateStrategy.
func (s strategy) AllowUnconditionalUpdate(context.Context) bool {
	return s.resource.puts&mayForce != 0
}

// PrepareForCreate implements rest.RESTCreateStrategy: it starts counting
// generations. What the client says of them does not count.
func (s strategy) PrepareForCreate(_ context.Context, object runtime.Object) {
	m := metadata(object)
	m.SetGeneration(0)
	if s.resource.counts != nil {
		m.SetGeneration(1)
	}
}

// PrepareForUpdate implements rest.RESTUpdateStrategy. The generic server has set
// the generation to the old one.
func (s strategy) PrepareForUpdate(_ context.Context, object, old runtime.Object) {
	if s.resource.counts != nil && s.resource.counts(object, old) {
		m := metadata(object)
		m.SetGeneration(m.GetGeneration() + 1)
	}
}

// Validate implements rest.RESTCreateStrategy.
func (s strategy) Validate(_ context.Context, object runtime.Object) field.ErrorList {
	return s.rules.Validate(object, nil)
}

// ValidateUpdate implements rest.RESTUpdateStrategy.
func (s strategy) ValidateUpdate(_ context.Context, object, old runtime.Object) field.ErrorList {
	return s.rules.Validate(object, old)
}

// WarningsOnCreate implements rest.RESTCreateStrategy.
func (s strategy) WarningsOnCreate(_ context.Context, object runtime.Object) []string {
	return s.rules.Warnings(object)
}

// WarningsOnUpdate implements rest.RESTUpdateStrategy.
func (s strategy) WarningsOnUpdate(_ context.Context, object, _ runtime.Object) []string {
	return s.rules.Warnings(object)
}

// Canonicalize implements the strategies.
func (s strategy) Canonicalize(object runtime.Object) {
	if s.resource.complete != nil {
		s.resource.complete(object)
	}
}

// metadata returns the metadata of an object of the table, which has some.
func metadata(object runtime.Object) metav1.Object {
	m, err := meta.Accessor(object)
	if err != nil {
		panic("the table of resources has a kind without metadata: " + err.Error())
	}
	return m
}
