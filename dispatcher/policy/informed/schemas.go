package informed

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/openapi"
	"k8s.io/kube-openapi/pkg/spec3"

	"example.com/gatehouse/internal/engine/guard"
)

const (
	// refreshAfter is how old a list of documents may be, as in kube-apiserver.
	refreshAfter = 5 * time.Second
	// listTimeout is how long requests wait for a list if there is an older one.
	listTimeout = time.Second
	// fetchTimeout ends the fetching of a list or a document, so that one that hangs
	// does not prevent the next.
	fetchTimeout = 30 * time.Second
)

// Schemas are the schemas of an API server's kinds. See NewSchemas.
type Schemas struct {
	client func() openapi.Client
	// reading are the documents that are being read.
	reading singleflight.Group

	// mu guards the fields below. It is not held while something is fetched.
	mu sync.Mutex
	// listing is the last request for a list, listed when the last one that succeeded
	// began, and paths its list.
	listing *listing
	listed  time.Time
	paths   map[string]openapi.GroupVersionWithContext
	// read are the documents that were read, by path.
	read map[string]document
}

// listing is a request for the list of documents.
type listing struct {
	began time.Time
	// first says that there was no list before.
	first bool
	// ended is closed when the list has arrived or the request has failed.
	ended chan struct{}
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
	never := &listing{ended: make(chan struct{})}
	close(never.ended)
	return &Schemas{client: client, listing: never, read: map[string]document{}}
}

// Types is for policy.Config.Types. It returns nil if the API server has no document
// for the version of the kind, if the document cannot be read, or if ctx ends first.
//
// If the list of documents is older than five seconds, or they do not have the kind
// and the list is older than a second, Types lists them again. It waits for that up
// to a second, and for the first list until ctx ends. If listing takes longer or
// fails, the last list remains in use.
//
// Compat: a document need not have the kind: a JSON patch does not need its schema.
func (s *Schemas) Types(
	ctx context.Context, kind schema.GroupVersionKind,
) managedfields.TypeConverter {
	s.refresh(ctx, refreshAfter)
	types := s.types(ctx, kind.GroupVersion())
	if types == nil || !knows(types, kind) {
		s.refresh(ctx, unknownFor) // the kind may be new
		types = s.types(ctx, kind.GroupVersion())
	}
	return types
}

func knows(types managedfields.TypeConverter, kind schema.GroupVersionKind) bool {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	_, err := types.ObjectToTyped(o)
	return err == nil
}

// refresh lists the documents if the list is older than age. It waits for that, also if
// another request lists them. After a failure it does not list them again before age.
func (s *Schemas) refresh(ctx context.Context, age time.Duration) {
	l := s.due(ctx, age)
	if l == nil {
		return
	}
	if !l.first {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, l.began.Add(listTimeout))
		defer cancel()
	}
	select {
	case <-l.ended:
	case <-ctx.Done():
	}
}

// due returns the request for a list to wait for; nil if there is none. It makes one if the
// list is older than age and there is none yet.
func (s *Schemas) due(ctx context.Context, age time.Duration) *listing {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.listed) < age {
		return nil
	}
	select {
	case <-s.listing.ended:
	default:
		return s.listing
	}
	if time.Since(s.listing.began) < age {
		return nil
	}
	s.listing = &listing{began: time.Now(), first: s.paths == nil, ended: make(chan struct{})}
	go s.list(context.WithoutCancel(ctx), s.listing)
	return s.listing
}

// list fetches the list of documents. After an error the last one remains in use.
func (s *Schemas) list(ctx context.Context, l *listing) {
	defer close(l.ended)
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	_ = guard.Call(func() error {
		paths, err := openapi.ToClientWithContext(s.client()).PathsWithContext(ctx)
		if err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.paths, s.listed = paths, l.began
		return nil
	})
}

// types returns the types of a version's document, nil if the list has none or it
// cannot be read. Concurrent requests read a document once.
func (s *Schemas) types(
	ctx context.Context, version schema.GroupVersion,
) managedfields.TypeConverter {
	path := "apis/" + version.String()
	if version.Group == "" {
		path = "api/" + version.Version
	}
	s.mu.Lock()
	current, read := s.paths[path], s.read[path]
	s.mu.Unlock()
	if current == nil {
		return nil
	}
	address := current.ServerRelativeURL()
	if read.types != nil && read.address == address {
		return read.types
	}
	fetched := s.reading.DoChan(path+" "+address, func() (result any, err error) {
		err = guard.Call(func() (err error) {
			result, err = s.fetch(context.WithoutCancel(ctx), path, current)
			return err
		})
		return result, err
	})
	select {
	case result := <-fetched:
		types, _ := result.Val.(managedfields.TypeConverter)
		return types
	case <-ctx.Done():
		return nil
	}
}

// fetch reads a document and keeps it.
func (s *Schemas) fetch(
	ctx context.Context, path string, d openapi.GroupVersionWithContext,
) (managedfields.TypeConverter, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	types, err := parse(ctx, d)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read[path] = document{d.ServerRelativeURL(), types}
	return types, nil
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
