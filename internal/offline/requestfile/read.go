package requestfile

import (
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"example.com/gatehouse/internal/manifest"
)

// group is the API group of all that belongs to gatehouse alone.
const group = "gatehouse"

// The kinds of documents that are requests.
const (
	requestKind = "AdmissionRequest"
	reviewKind  = "AdmissionReview"
)

// suiteKind is the kind of suites of tests, which hold requests but are none.
const suiteKind = "AdmissionTest"

// versions are those that are known of a kind, the newest first.
type versions []schema.GroupVersion

func requestVersions() versions { return versions{{Group: group, Version: "v1alpha1"}} }

// Kind returns the apiVersion and kind of an AdmissionRequest.
func Kind() schema.GroupVersionKind { return requestVersions()[0].WithKind(requestKind) }

func reviewVersions() versions {
	return versions{admissionv1.SchemeGroupVersion, admissionv1beta1.SchemeGroupVersion}
}

// Is reports whether Read is to be asked about a document: whether it is of the API
// groups of AdmissionRequests and AdmissionReviews. Read has clear words for what
// these groups do not have.
func Is(kind schema.GroupVersionKind) bool {
	return kind.Group == group || kind.Group == admissionv1.GroupName
}

// Read returns the request that a document asks for. It refuses what cannot be
// meant, but looks nothing up: neither the resource nor the kinds need exist. The
// error says where.
func Read(d *manifest.Document) (*Request, error) {
	read, kind, known := readFile, requestKind, requestVersions()
	if d.Kind.Group == admissionv1.GroupName {
		read, kind, known = readReview, reviewKind, reviewVersions()
	}
	if err := known.check(d, kind); err != nil {
		return nil, err
	}
	// A field that is there twice may be what was meant, or the other one. That
	// goes for what is decoded loosely or not at all, too.
	if _, err := d.Unstructured(); err != nil {
		return nil, err
	}
	return read(d)
}

// check reports documents of another kind or version.
func (v versions) check(d *manifest.Document, kind string) error {
	if d.Kind.Group == group && d.Kind.Kind == suiteKind {
		return d.Wrap("kind", fmt.Errorf("kind: %s is no request but a suite of them, which is for `gatehouse test`", suiteKind))
	}
	if d.Kind.Kind != kind {
		return d.Wrap("kind", fmt.Errorf("kind: %s of %s is no request: only %s is known",
			d.Kind.Kind, d.Kind.GroupVersion(), kind))
	}
	if !slices.Contains(v, d.Kind.GroupVersion()) {
		return d.Wrap("apiVersion", fmt.Errorf("apiVersion: %s is unknown: only %s is known", d.Kind.GroupVersion(), v))
	}
	return nil
}

// String returns the versions as a sentence has them.
func (v versions) String() string {
	names := make([]string, 0, len(v))
	for _, gv := range v {
		names = append(names, gv.String())
	}
	return strings.Join(names, " or ")
}

// scheme returns one in which all versions of a kind are one Go type, because
// they have the same fields.
func (v versions) scheme(kind string, object runtime.Object) *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, gv := range v {
		scheme.AddKnownTypeWithName(gv.WithKind(kind), object)
	}
	return scheme
}

// tolerant returns a decoder that ignores unknown fields.
func tolerant(scheme *runtime.Scheme) runtime.Decoder {
	return serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{})
}

// decode reads a document into a T.
func decode[T runtime.Object](d *manifest.Document, decoder runtime.Decoder) (T, error) {
	var none T
	object, err := d.Decode(decoder)
	if err != nil {
		return none, err
	}
	decoded, ok := object.(T)
	if !ok {
		return none, d.Wrap("", fmt.Errorf("decoding a %s gave a %T", d.Kind.Kind, object))
	}
	return decoded, nil
}
