package requestfile

import (
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
)

// group is the API group of gatehouse's own kinds.
const group = "gatehouse"

// The kinds of documents that are requests.
const (
	requestKind = "AdmissionRequest"
	reviewKind  = "AdmissionReview"
)

// suiteKind is the kind of suites, which have an error of their own.
const suiteKind = "AdmissionTest"

// versions are the known versions of a kind, the newest first.
type versions []schema.GroupVersion

func requestVersions() versions { return versions{{Group: group, Version: "v1alpha1"}} }

// Kind returns the apiVersion and kind of an AdmissionRequest.
func Kind() schema.GroupVersionKind { return requestVersions()[0].WithKind(requestKind) }

func reviewVersions() versions {
	return versions{admissionv1.SchemeGroupVersion, admissionv1beta1.SchemeGroupVersion}
}

// Is reports whether a kind is in the API groups of AdmissionRequests and
// AdmissionReviews. Read returns a clear error for other kinds of these groups.
func Is(kind schema.GroupVersionKind) bool {
	return kind.Group == group || kind.Group == admissionv1.GroupName
}

// Read returns the request in a document. The resource and the kinds need not
// exist. The error has the position.
func Read(d *manifest.Document) (*Request, error) {
	read, kind, known := readFile, requestKind, requestVersions()
	if d.Kind.Group == admissionv1.GroupName {
		read, kind, known = readReview, reviewKind, reviewVersions()
	}
	if err := known.check(d, kind); err != nil {
		return nil, err
	}
	return read(d)
}

// check returns an error for a document of another kind or version.
func (v versions) check(d *manifest.Document, kind string) error {
	if d.Kind.Group == group && d.Kind.Kind == suiteKind {
		return d.Wrap("kind", fmt.Errorf("kind: %s is a suite, not a request: run it with `gatehouse test`", suiteKind))
	}
	if d.Kind.Kind != kind {
		return d.Wrap("kind", fmt.Errorf("kind: %s of %s is not a request: want %s",
			d.Kind.Kind, d.Kind.GroupVersion(), kind))
	}
	if !slices.Contains(v, d.Kind.GroupVersion()) {
		return d.Wrap("apiVersion", fmt.Errorf("apiVersion: %s is unknown: want %s", d.Kind.GroupVersion(), v))
	}
	return nil
}

// String joins the versions with "or".
func (v versions) String() string {
	names := make([]string, 0, len(v))
	for _, gv := range v {
		names = append(names, gv.String())
	}
	return strings.Join(names, " or ")
}
