package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/message"
)

// Config says what to read from where.
type Config struct {
	// Client connects to the API server. Required.
	Client *rest.Config
	// Namespace restricts namespaced objects to one namespace; empty for all. Params
	// that bindings name are read from other namespaces, too.
	Namespace string
	// Secrets are those whose certificates are read.
	Secrets []types.NamespacedName
	// SkipForbidden leaves out what the user may not read. By default that is an error.
	SkipForbidden bool
	// Progress, if not nil, is called with the resource that is read, and the number of
	// objects until now.
	Progress func(resource string, objects int)

	// maxAnswer and maxSize replace the constants in tests, if they are not 0.
	maxAnswer, maxSize int64
}

// maxSize bounds a snapshot in bytes, because it is kept in memory.
const maxSize = 1 << 30

// Snapshot is what was read.
type Snapshot struct {
	// Server is the version of the API server; empty if it is not known.
	Server string
	// Namespace is that of Config.
	Namespace string
	// Notices say what was left out and why, one line each.
	Notices []string

	// files have the objects in YAML, by the name of the file.
	files map[string]map[identity][]byte
}

// Objects returns the number of objects.
func (s *Snapshot) Objects() int {
	count := 0
	for _, objects := range s.files {
		count += len(objects)
	}
	return count
}

// reader reads a snapshot.
type reader struct {
	*client
	config   *Config
	snapshot *Snapshot
	// size is that of all objects in bytes.
	size int64
	// read has the collections that were read, and the namespace of their objects; it is
	// empty if all were read.
	read     map[schema.GroupVersionResource]string
	policies policies
	backends backends
	denied   []denial
	// dropped are the fields of kinds that were left out.
	dropped map[string]bool
}

// Read reads a snapshot. What the user may not read is a *ForbiddenError.
func Read(ctx context.Context, config Config) (*Snapshot, error) {
	r, err := newReader(&config)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.readServer(ctx); err != nil {
		return nil, err
	}
	for i := range kinds {
		if err := r.readKind(ctx, &kinds[i]); err != nil {
			return nil, err
		}
	}
	if len(r.read) == 0 && len(r.denied) == 0 {
		return nil, errors.New("the server serves none of the kinds: is this an API server?")
	}
	for _, step := range []func(context.Context) error{r.readParams, r.readPods, r.readSecrets} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	if len(r.denied) > 0 && !config.SkipForbidden {
		return nil, &ForbiddenError{r.denied}
	}
	for _, d := range r.denied {
		r.notice("%s: left out, because the user has no permission to read it", d.need)
	}
	return r.snapshot, nil
}

func newReader(config *Config) (*reader, error) {
	if config.maxAnswer == 0 {
		config.maxAnswer = maxAnswer
	}
	if config.maxSize == 0 {
		config.maxSize = maxSize
	}
	c, err := newClient(config.Client, config.maxAnswer)
	if err != nil {
		return nil, err
	}
	return &reader{
		client: c, config: config,
		snapshot: &Snapshot{Namespace: config.Namespace, files: map[string]map[identity][]byte{}},
		read:     map[schema.GroupVersionResource]string{}, dropped: map[string]bool{},
	}, nil
}

// notice keeps a notice, as one line: it may have names of a server.
func (r *reader) notice(format string, args ...any) {
	r.snapshot.Notices = append(r.snapshot.Notices, message.Escaped(fmt.Sprintf(format, args...)))
}

// readServer reads the version. Users who may not do so can still read objects.
func (r *reader) readServer(ctx context.Context) error {
	var info version.Info
	err := r.get(ctx, "/version", nil, &info)
	if err != nil && !apierrors.IsForbidden(err) && !apierrors.IsNotFound(err) {
		return r.failed(ctx, "the version of the API server", err)
	}
	r.snapshot.Server = message.Escaped(cut(info.GitVersion))
	return nil
}

// readKind reads all objects of a kind, in the best version that the server serves.
func (r *reader) readKind(ctx context.Context, k *kind) error {
	for _, v := range k.versions {
		gv := schema.GroupVersion{Group: k.Group, Version: v}
		_, ok, err := r.find(ctx, gv, func(a metav1.APIResource) bool { return a.Name == k.Resource })
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		t := &target{
			GroupVersionResource: gv.WithResource(k.Resource), kind: k.kind,
			namespace: k.scope(r.config.Namespace),
		}
		r.read[t.GroupVersionResource] = t.namespace
		return r.readAll(ctx, t, k.String()+".yaml", k.status, r.learn(k.kind))
	}
	if !r.isDenied(root(schema.GroupVersion{Group: k.Group, Version: k.versions[0]})) {
		r.notice("%s: left out, because the server does not serve it", k)
	}
	return nil
}

// find looks for a resource in the discovery of a group version; false if there is none, or
// if the user may not look.
func (r *reader) find(
	ctx context.Context, gv schema.GroupVersion, is func(metav1.APIResource) bool,
) (metav1.APIResource, bool, error) {
	all, err := r.resources(ctx, gv)
	if apierrors.IsForbidden(err) {
		r.deny(need{path: root(gv), verb: "get"}, err)
		return metav1.APIResource{}, false, nil
	}
	if err != nil {
		return metav1.APIResource{}, false, r.failed(ctx, root(gv), err)
	}
	i := slices.IndexFunc(all, is)
	if i < 0 {
		return metav1.APIResource{}, false, nil
	}
	return all[i], true, nil
}

// readAll reads the objects of a target into a file. learn, if not nil, is called with each
// before it is trimmed.
func (r *reader) readAll(
	ctx context.Context, t *target, file string, status []string, learn func(map[string]any) error,
) error {
	before, size := r.snapshot.files[file], r.size
	var objects map[identity][]byte
	begin := func() {
		objects, r.size = map[identity][]byte{}, size
	}
	err := r.list(ctx, t, begin, func(page []map[string]any) error {
		for _, o := range page {
			if err := r.add(objects, t, o, status, learn); err != nil {
				return err
			}
		}
		if r.config.Progress != nil {
			r.config.Progress(t.GroupResource().String(), r.snapshot.Objects()+len(objects))
		}
		return nil
	})
	switch {
	case apierrors.IsForbidden(err):
		r.deny(t.need(), err)
		return nil
	case apierrors.IsNotFound(err): // its definition was deleted
		r.notice("%s: left out, because the server does not serve it", t.GroupResource())
		return nil
	case err != nil:
		return r.failed(ctx, t.GroupResource().String(), err)
	}
	for id, text := range before {
		if objects[id] == nil {
			objects[id] = text
		}
	}
	if len(objects) > 0 {
		r.snapshot.files[file] = objects
	}
	return nil
}

// add adds an object of a page.
func (r *reader) add(
	to map[identity][]byte, t *target, object map[string]any, status []string,
	learn func(map[string]any) error,
) error {
	id, err := identify(object)
	if err != nil {
		return err
	}
	object["apiVersion"], object["kind"] = t.GroupVersion().String(), t.kind
	if learn != nil {
		if err := learn(object); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	trim(object, status)
	object, unknown, err := known(t.GroupVersion().WithKind(t.kind), object)
	if err != nil {
		return fmt.Errorf("%s: it is not a %s of this version: is this an API server?", id, t.kind)
	}
	for _, field := range unknown {
		r.unknown(t.kind, id, field)
	}
	text, err := encode(object)
	if err != nil {
		return err
	}
	if r.size += int64(len(text)); r.size > r.config.maxSize {
		return fmt.Errorf("the snapshot is larger than %d MiB", r.config.maxSize>>20)
	}
	to[id] = text
	return nil
}

// unknown says once that a field of a kind was left out.
func (r *reader) unknown(kind string, id identity, field string) {
	if key := kind + " " + field; !r.dropped[key] {
		r.dropped[key] = true
		r.size += int64(len(key)) // a server could have any number
		r.notice("%s: %s is left out, because this version of gatehouse does not know it: %s has it",
			kind, field, id)
	}
}

// failed says what could not be read. The reason is that of the context if it has ended.
func (r *reader) failed(ctx context.Context, what string, err error) error {
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
		if errors.Is(err, context.Canceled) {
			return err
		}
	case apierrors.IsUnauthorized(err):
		err = errors.New("the API server does not accept the credentials of the user")
	default:
		err = plain(err)
	}
	return fmt.Errorf("reading %s: %w", what, err)
}
