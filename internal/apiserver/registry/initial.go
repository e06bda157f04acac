package registry

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/storage"

	"example.com/gatehouse/internal/apiserver/scheme"
)

// createTimeout bounds createInitialObjects, and each later write of the server's
// own. It is reached only if the database does not respond: on a busy disk, a write
// may take many seconds.
const createTimeout = time.Minute

// createInitialObjects creates the initial objects of all Resources, and writes
// the objects published, which replace those of an earlier server. Like the
// default namespaces, they bypass admission: webhooks of configurations in an
// old database may not be running yet. The end of ctx does not interrupt it,
// because interrupted requests make the etcd client log to standard error.
func createInitialObjects(
	ctx context.Context, groups []*genericapiserver.APIGroupInfo, s scheme.Schemes,
	published []runtime.Object,
) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), createTimeout)
	defer cancel()
	var all errgroup.Group
	for _, r := range Resources() {
		if r.initialObjects == nil {
			continue
		}
		store := storageOf(groups, r.Group, r.Version, r.Plural).(rest.Creater)
		for _, object := range r.initialObjects() {
			all.Go(func() error { return createIfMissing(ctx, store, object) })
		}
	}
	for _, object := range published {
		all.Go(func() error { return publish(ctx, groups, s, object) })
	}
	if err := all.Wait(); err != nil {
		return fmt.Errorf("creating the initial objects: %w", err)
	}
	return nil
}

// publish creates an object or replaces the one with the same name.
func publish(
	ctx context.Context, groups []*genericapiserver.APIGroupInfo, s scheme.Schemes,
	object runtime.Object,
) error {
	versions, _, err := s.Scheme.ObjectKinds(object)
	if err != nil {
		return err
	}
	for _, r := range Resources() {
		if r.GroupVersionKind == versions[0] {
			store := storageOf(groups, r.Group, r.Version, r.Plural).(resourceREST)
			return createOrReplace(ctx, store, object)
		}
	}
	return fmt.Errorf("%s is not served", versions[0])
}

func createIfMissing(ctx context.Context, store rest.Creater, object runtime.Object) error {
	ctx = request.WithNamespace(ctx, accessor(object).GetNamespace())
	_, err := store.Create(ctx, object, rest.ValidateAllObjectFunc, &metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// createOrReplace creates an object or replaces the one with the same name. If
// that one has a field that cannot be updated, createOrReplace deletes it.
func createOrReplace(ctx context.Context, store resourceREST, object runtime.Object) error {
	m := accessor(object)
	ctx = request.WithNamespace(ctx, m.GetNamespace())
	_, _, err := store.Update(ctx, m.GetName(), rest.DefaultUpdatedObjectInfo(object),
		rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, true, &metav1.UpdateOptions{})
	if !apierrors.IsInvalid(err) {
		return err
	}
	key, err := store.KeyFunc(ctx, m.GetName())
	if err != nil {
		return err
	}
	// store.Delete would keep an object with finalizers.
	err = store.Storage.Delete(ctx, key, store.New(), nil, rest.ValidateAllObjectFunc, false, nil,
		storage.DeleteOptions{})
	if err != nil {
		return err
	}
	_, err = store.Create(ctx, object, rest.ValidateAllObjectFunc, &metav1.CreateOptions{})
	return err
}

// The functions below implement Resource.initialObjects.

// initialFlowSchemas are those that kube-apiserver creates. Without
// global-default, an aggregated server would give all users the few seats of
// catch-all.
func initialFlowSchemas() []runtime.Object {
	return append(copies(bootstrap.MandatoryFlowSchemas), copies(bootstrap.SuggestedFlowSchemas)...)
}

func initialPriorityLevels() []runtime.Object {
	return append(copies(bootstrap.MandatoryPriorityLevelConfigurations),
		copies(bootstrap.SuggestedPriorityLevelConfigurations)...)
}

// initialPriorityClasses are those that kube-apiserver creates.
func initialPriorityClasses() []runtime.Object {
	class := func(name string, value int32, description string) *schedulingv1.PriorityClass {
		return &schedulingv1.PriorityClass{
			ObjectMeta: metav1.ObjectMeta{Name: name}, Value: value, Description: description,
			PreemptionPolicy: new(corev1.PreemptLowerPriority),
		}
	}
	return []runtime.Object{
		class("system-node-critical", 2_000_001_000,
			"Used for system critical pods that must not be moved from their current node."),
		class("system-cluster-critical", 2_000_000_000,
			"Used for system critical pods that must run in the cluster, but can be moved to "+
				"another node if necessary."),
	}
}

// copies returns deep copies.
func copies[T runtime.Object](objects []T) []runtime.Object {
	var out []runtime.Object
	for _, o := range objects {
		out = append(out, o.DeepCopyObject())
	}
	return out
}
