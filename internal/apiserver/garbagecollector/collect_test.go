package garbagecollector

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/fake"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/component-base/compatibility"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/apiserver/controller"
)

// mapper knows ConfigMaps, and counts its resets.
type mapper struct {
	meta.RESTMapper
	resets int
}

func (m *mapper) Reset() { m.resets++ }

func newMapper() *mapper {
	known := meta.NewDefaultRESTMapper(nil)
	known.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	return &mapper{RESTMapper: known}
}

func newClient(t *testing.T, existing ...runtime.Object) *fake.FakeMetadataClient {
	t.Helper()
	scheme := fake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return fake.NewSimpleMetadataClient(scheme, existing...)
}

// attach returns the controller of a server that does not run.
func attach(t *testing.T, client metadata.Interface) *Controller {
	t.Helper()
	config := genericapiserver.NewConfig(serializer.NewCodecFactory(runtime.NewScheme()))
	config.ExternalAddress = "127.0.0.1:1"
	config.LoopbackClientConfig = &rest.Config{}
	config.EffectiveVersion = compatibility.NewEffectiveVersionFromString("1.37", "", "")
	server, err := config.Complete(nil).New("test", genericapiserver.NewEmptyDelegate())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Destroy)
	c := New()
	if err := c.Attach(server, false); err != nil {
		t.Fatal(err)
	}
	c.objects = objects{controller.Clients{Objects: client}, newMapper(), flowcontrol.NewFakeNeverRateLimiter()}
	return c
}

func configMap(uid types.UID, version string, owners ...metav1.OwnerReference) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: string(uid), UID: uid, ResourceVersion: version, OwnerReferences: owners,
		},
	}
}

// TestLateEvent: the graph forgets the version of an object without owners. An owner does not
// wait for what an older event says of it.
func TestLateEvent(t *testing.T) {
	t.Parallel()
	before := configMap("a", "5", metav1.OwnerReference{UID: "o", BlockOwnerDeletion: ptr.To(true)})
	now := configMap("a", "6")
	c := attach(t, newClient(t, now))
	resource := corev1.Resource("configmaps")
	c.written(resource, now)
	c.written(resource, before)
	for range 2 { // The second time the graph has forgotten it.
		if err := c.process(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		if got := c.graph.dependentsOf("o"); len(got) > 0 {
			t.Errorf("the owner waits for %+v", got[0])
		}
	}
}

// TestUnblock: webhooks see a change only of the references that block.
func TestUnblock(t *testing.T) {
	t.Parallel()
	object := configMap("a", "1",
		metav1.OwnerReference{UID: "nil"},
		metav1.OwnerReference{UID: "false", BlockOwnerDeletion: ptr.To(false)},
		metav1.OwnerReference{UID: "true", BlockOwnerDeletion: ptr.To(true)})
	client := newClient(t, object)
	var patched metav1.PartialObjectMetadata
	client.PrependReactor("patch", "configmaps", func(a clienttesting.Action) (bool, runtime.Object, error) {
		return true, object, json.Unmarshal(a.(clienttesting.PatchAction).GetPatch(), &patched)
	})
	resources := client.Resource(corev1.SchemeGroupVersion.WithResource("configmaps")).Namespace("default")
	if _, err := unblock(t.Context(), resources, object); err != nil {
		t.Fatal(err)
	}
	want := []metav1.OwnerReference{
		{UID: "nil"}, {UID: "false", BlockOwnerDeletion: ptr.To(false)}, {UID: "true", BlockOwnerDeletion: ptr.To(false)},
	}
	if diff := cmp.Diff(want, patched.OwnerReferences); diff != "" {
		t.Errorf("references (-want, +got):\n%s", diff)
	}
}

// TestOutdated: the failures of many objects discover the resources no more often than the
// limit allows.
func TestOutdated(t *testing.T) {
	t.Parallel()
	failure := errors.New("no such kind")
	m := newMapper()
	for _, limit := range []flowcontrol.RateLimiter{flowcontrol.NewFakeAlwaysRateLimiter(), flowcontrol.NewFakeNeverRateLimiter()} {
		if err := (objects{mapper: m, resets: limit}).outdated(failure); !errors.Is(err, failure) {
			t.Errorf("got %v, want %v", err, failure)
		}
	}
	if m.resets != 1 {
		t.Errorf("the resources were discovered %d times, want once", m.resets)
	}
	if limit := newObjects(controller.Clients{Typed: kubernetes.New(nil)}).resets.QPS(); limit != 1 {
		t.Errorf("the limit is %v a second, want 1", limit)
	}
}
