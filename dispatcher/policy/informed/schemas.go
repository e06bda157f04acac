package informed

import (
	"context"
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/openapi"
	"k8s.io/kube-openapi/pkg/spec3"
)

// refreshAfter is how old a list of documents may be, as in kube-apiserver.
const refreshAfter = 5 * time.Second

// Schemas are the schemas of an API server's kinds. See NewSchemas.
type Schemas struct {
	client func() openapi.Client
	// free has capacity 1 and guards the fields below. A request that waits for it
	// can be canceled.
	free   chan struct{}
	listed time.Time
	paths  map[string]openapi.GroupVersionWithContext
	// read are the documents that were read, by path.
	read map[string]document
}

// document is an OpenAPI document. Its address changes with its content.
type document struct {
	address string
	types   managedfields.TypeConverter
}

// NewSchemas returns the schemas of an API server. It reads them when a
// mutation needs them, and again when they have changed. client is the method
// OpenAPIV3 of a discovery client.
func NewSchemas(client func() openapi.Client) *Schemas {
	return &Schemas{client: client, free: make(chan struct{}, 1), read: map[string]document{}}
}

// Types is for policy.Config.Types. It returns nil if the API server has no document
// for the version of the kind, or ctx ends.
//
// Compat: a document need not have the kind: a JSON patch does not need its schema.
func (s *Schemas) Types(
	ctx context.Context, kind schema.GroupVersionKind,
) managedfields.TypeConverter {
	select {
	case s.free <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	defer func() { <-s.free }()
	types, err := s.types(ctx, kind.GroupVersion(), refreshAfter)
	if err != nil || types == nil || !knows(types, kind) {
		types, err = s.types(ctx, kind.GroupVersion(), 0) // the kind may be new
	}
	if err != nil {
		return nil
	}
	return types
}

func knows(types managedfields.TypeConverter, kind schema.GroupVersionKind) bool {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	_, err := types.ObjectToTyped(o)
	return err == nil
}

// types returns the types of a version's document, which is the current one of a
// list that is not older than age; nil if there is no such document.
func (s *Schemas) types(
	ctx context.Context, version schema.GroupVersion, age time.Duration,
) (managedfields.TypeConverter, error) {
	if time.Since(s.listed) >= age {
		paths, err := openapi.ToClientWithContext(s.client()).PathsWithContext(ctx)
		if err != nil {
			return nil, err
		}
		s.paths, s.listed = paths, time.Now()
	}
	path := "apis/" + version.String()
	if version.Group == "" {
		path = "api/" + version.Version
	}
	current, ok := s.paths[path]
	if !ok {
		return nil, nil
	}
	if read, ok := s.read[path]; !ok || read.address != current.ServerRelativeURL() {
		types, err := parse(ctx, current)
		if err != nil {
			return nil, err
		}
		s.read[path] = document{current.ServerRelativeURL(), types}
	}
	return s.read[path].types, nil
}

// parse reads a document.
func parse(
	ctx context.Context, d openapi.GroupVersionWithContext,
) (managedfields.TypeConverter, error) {
	text, err := d.SchemaWithContext(ctx, runtime.ContentTypeJSON)
	if err != nil {
		return nil, err
	}
	var parsed spec3.OpenAPI
	if err := json.Unmarshal(text, &parsed); err != nil {
		return nil, err
	}
	return managedfields.NewTypeConverter(parsed.Components.Schemas, false)
}
