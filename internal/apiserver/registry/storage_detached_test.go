package registry

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
)

// transactions is a storage whose transactions fail if their context has ended, as those of
// etcd's client do. They begin with commit.
type transactions struct {
	storage.Interface
	commit func()
}

func (s transactions) Create(ctx context.Context, _ string, _, _ runtime.Object, _ uint64) error {
	s.commit()
	return ctx.Err()
}

func (s transactions) GuaranteedUpdate(
	ctx context.Context, _ string, out runtime.Object, _ bool, _ *storage.Preconditions,
	update storage.UpdateFunc, _ runtime.Object,
) error {
	if _, _, err := update(out, storage.ResponseMeta{}); err != nil {
		return err
	}
	s.commit()
	return ctx.Err()
}

func (s transactions) Delete(
	ctx context.Context, _ string, out runtime.Object, _ *storage.Preconditions,
	validate storage.ValidateObjectFunc, _ runtime.Object, _ storage.DeleteOptions,
) error {
	if err := validate(ctx, out); err != nil {
		return err
	}
	s.commit()
	return ctx.Err()
}

// writes are the writes of a storage. They call validate before the transaction.
func writes(s storage.Interface, validate func()) map[string]func(context.Context) error {
	object := &corev1.Namespace{}
	return map[string]func(context.Context) error{
		"create": func(ctx context.Context) error {
			validate()
			return s.Create(ctx, "a", object, object, 0)
		},
		"update": func(ctx context.Context) error {
			update := storage.SimpleUpdate(func(o runtime.Object) (runtime.Object, error) {
				validate()
				return o, nil
			})
			return s.GuaranteedUpdate(ctx, "a", object, false, nil, update, nil)
		},
		"delete": func(ctx context.Context) error {
			check := func(context.Context, runtime.Object) error {
				validate()
				return nil
			}
			return s.Delete(ctx, "a", object, nil, check, nil, storage.DeleteOptions{})
		},
	}
}

// decorated returns the storage of a resource whose transactions begin with commit.
func decorated(t *testing.T, commit func()) storage.Interface {
	t.Helper()
	getter := RESTOptionsGetter{decorator: func(
		*storagebackend.ConfigForResource, string, func(runtime.Object) (string, error),
		func() runtime.Object, func() runtime.Object, storage.AttrFunc, storage.IndexerFuncs,
		*cache.Indexers,
	) (storage.Interface, factory.DestroyFunc, error) {
		return transactions{commit: commit}, nil, nil
	}}
	options, err := getter.GetRESTOptions(corev1.Resource("namespaces"), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := options.Decorator(nil, "", nil, nil, nil, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDetached: the end of a request does not interrupt a transaction, and before one it
// prevents it.
func TestDetached(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"create", "update", "delete"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if err := writes(decorated(t, cancel), func() {})[name](ctx); err != nil {
				t.Errorf("a transaction whose request ends: %v", err)
			}

			ctx, cancel = context.WithCancel(t.Context())
			defer cancel()
			fail := func() { t.Error("a request that has ended writes") }
			if err := writes(decorated(t, fail), cancel)[name](ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want %v", err, context.Canceled)
			}
		})
	}
}
