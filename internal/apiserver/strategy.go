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
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"example.com/gatehouse/internal/offline/internalversion"
)

// rules say what is wrong with an object, beyond what the generic server finds by
// itself, and what its writer should know. They change nothing.
type rules interface {
	// Validate is about an object that would replace old, or be created if that
	// is nil.
	Validate(object, old runtime.Object) field.ErrorList
	Warnings(object runtime.Object) []string
}

// metadataRules are about metadata, and what a row of the table checks besides.
type metadataRules struct{ resource resource }

// Validate implements rules. The generic server checks on its own that an update
// keeps what must be kept of metadata.
func (m metadataRules) Validate(object, old runtime.Object) field.ErrorList {
	name := m.resource.name
	if name == nil {
		name = validation.NameIsDNSSubdomain
	}
	errs := validation.ValidateObjectMetaAccessor(metadata(object), m.resource.scope == namespaced, name, field.NewPath("metadata"))
	if m.resource.check != nil {
		errs = append(errs, m.resource.check(object, old)...)
	}
	return errs
}

// Warnings implements rules.
func (metadataRules) Warnings(runtime.Object) []string { return nil }

// strategy is a row of the table in the terms of the generic server, which calls
// it on the way to the database.
type strategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	resource  resource
	rules     rules
	hasStatus bool
}

var (
	_ rest.RESTCreateStrategy  = strategy{}
	_ rest.RESTUpdateStrategy  = strategy{}
	_ rest.RESTDeleteStrategy  = strategy{}
	_ rest.ResetFieldsStrategy = strategy{}
)

func newStrategy(r resource, t schemes) strategy {
	s := strategy{t.scheme, names.SimpleNameGenerator, r, r.rules, hasStatus(t.make(r.version.WithKind(r.kind)))}
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
// generations, and gives the object the status of a new one. What the client says
// of either does not count.
func (s strategy) PrepareForCreate(_ context.Context, object runtime.Object) {
	internalversion.Settle(object)
	m := metadata(object)
	m.SetGeneration(0)
	if s.resource.counts != nil {
		m.SetGeneration(1)
	}
	if s.resource.born != nil {
		s.resource.born(object)
	} else if s.hasStatus {
		section(object, "Status").SetZero()
	}
}

// PrepareForUpdate implements rest.RESTUpdateStrategy. The status stays as it is:
// it has an endpoint of its own. The generic server has set the generation to the
// old one.
func (s strategy) PrepareForUpdate(_ context.Context, object, old runtime.Object) {
	internalversion.Settle(object)
	if s.hasStatus {
		section(object, "Status").Set(section(old, "Status"))
	}
	if s.resource.kept != nil {
		s.resource.kept(object, old)
	}
	s.count(object, old)
}

// count increases the generation if the change counts.
func (s strategy) count(object, old runtime.Object) {
	if s.resource.counts != nil && s.resource.counts(object, old) {
		m := metadata(object)
		m.SetGeneration(m.GetGeneration() + 1)
	}
}

// GetResetFields implements rest.ResetFieldsStrategy: who applies an object does
// not come to own its status.
func (s strategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	if !s.hasStatus {
		return nil
	}
	return s.resource.reset([]any{"status"})
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
