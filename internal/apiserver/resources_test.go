package apiserver

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/apiserver/registry"
)

const (
	template = `"template":{"metadata":{"labels":{"app":"a"}},"spec":{"containers":[{"name":"a","image":"a:1"}]}}`
	workload = `{"spec":{"selector":{"matchLabels":{"app":"a"}},` + template + `}}`
	webhooks = `{"webhooks":[{"name":"a.example.com","sideEffects":"None","admissionReviewVersions":["v1"],"clientConfig":{"url":"https://127.0.0.1/"}}]}`
	matches  = `"matchConstraints":{"resourceRules":[{"operations":["CREATE"],"apiGroups":["none.example.com"],"apiVersions":["v1"],"resources":["none"]}]}`
	devices  = `{"devices":{"requests":[{"name":"a","exactly":{"deviceClassName":"a"}}]}}`
	binds    = `{"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"a"},"subjects":[{"kind":"ServiceAccount","name":"a","namespace":"b"}]}`
)

// samples are an object of each resource, without what the table knows.
var samples = map[string]string{
	"namespaces":                  `{}`,
	"configmaps":                  `{"data":{"a":"b"}}`,
	"secrets":                     `{"data":{"a":"Yg=="}}`,
	"services":                    `{"spec":{"selector":{"app":"a"},"ports":[{"port":80}]}}`,
	"endpoints":                   `{"subsets":[{"addresses":[{"ip":"10.0.0.1"}],"ports":[{"port":80}]}]}`,
	"serviceaccounts":             `{"automountServiceAccountToken":false}`,
	"events":                      `{"involvedObject":{"kind":"Pod","name":"a"},"reason":"Why","message":"what","type":"Normal"}`,
	"nodes":                       `{"status":{"conditions":[{"type":"Ready","status":"True"}]}}`,
	"persistentvolumes":           `{"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/a"}}}`,
	"persistentvolumeclaims":      `{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`,
	"replicationcontrollers":      `{"spec":{"selector":{"app":"a"},` + template + `}}`,
	"podtemplates":                `{` + template + `}`,
	"resourcequotas":              `{"spec":{"hard":{"pods":"3"}}}`,
	"limitranges":                 `{"spec":{"limits":[{"type":"Pod","max":{"cpu":"2"}}]}}`,
	"pods":                        `{"spec":{"containers":[{"name":"a","image":"a:1"}]}}`,
	"deployments":                 workload,
	"replicasets":                 workload,
	"statefulsets":                workload,
	"daemonsets":                  workload,
	"controllerrevisions":         `{"revision":1,"data":{"a":"b"}}`,
	"horizontalpodautoscalers":    `{"spec":{"scaleTargetRef":{"kind":"Deployment","name":"a","apiVersion":"apps/v1"},"maxReplicas":3}}`,
	"jobs":                        `{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a:1"}]}}}}`,
	"cronjobs":                    `{"spec":{"schedule":"@daily","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a:1"}]}}}}}}`,
	"leases":                      `{"spec":{"holderIdentity":"me"}}`,
	"endpointslices":              `{"addressType":"IPv4","endpoints":[{"addresses":["10.0.0.1"]}],"ports":[{"port":80}]}`,
	"ingresses":                   `{"spec":{"ingressClassName":"a","rules":[{"host":"a.example.com"}]}}`,
	"ingressclasses":              `{"spec":{"controller":"example.com/a"}}`,
	"networkpolicies":             `{"spec":{"podSelector":{"matchLabels":{"app":"a"}}}}`,
	"poddisruptionbudgets":        `{"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"a"}}}}`,
	"roles":                       `{"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]}`,
	"clusterroles":                `{"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]}`,
	"rolebindings":                binds,
	"clusterrolebindings":         binds,
	"flowschemas":                 `{"spec":{"priorityLevelConfiguration":{"name":"catch-all"}}}`,
	"prioritylevelconfigurations": `{"spec":{"type":"Limited","limited":{"limitResponse":{"type":"Reject"}}}}`,
	"priorityclasses":             `{"value":7}`,
	"storageclasses":              `{"provisioner":"example.com/a"}`,
	"volumeattachments":           `{"spec":{"attacher":"example.com","nodeName":"a","source":{"persistentVolumeName":"b"}}}`,
	"csidrivers":                  `{"spec":{"attachRequired":false,"tokenRequests":[{"audience":"a"}]}}`,
	"csinodes":                    `{"spec":{"drivers":[{"name":"example.com","nodeID":"a","topologyKeys":["b"]}]}}`,
	"csistoragecapacities":        `{"storageClassName":"a","capacity":"1Gi"}`,
	"volumeattributesclasses":     `{"driverName":"example.com","parameters":{"a":"b"}}`,
	"storageversionmigrations":    `{"spec":{"resource":{"group":"apps","resource":"deployments"}}}`,
	"ipaddresses":                 `{"spec":{"parentRef":{"resource":"services","namespace":"a","name":"b"}}}`,
	"servicecidrs":                `{"spec":{"cidrs":["10.96.0.0/12"]}}`,
	"runtimeclasses":              `{"handler":"runsc"}`,
	"apiservices":                 `{"spec":{"service":{"namespace":"a","name":"b"},"version":"v1","groupPriorityMinimum":100,"versionPriority":10}}`,
	"certificatesigningrequests":  `{"spec":{"request":"` + certificates.request + `","signerName":"example.com/a","usages":["client auth"]}}`,
	"clustertrustbundles":         `{"spec":{"trustBundle":"` + certificates.authority + `"}}`,
	"podcertificaterequests": `{"spec":{"signerName":"example.com/a","podName":"a","podUID":"1","serviceAccountName":"a","serviceAccountUID":"2",
		"nodeName":"a","nodeUID":"3","stubPKCS10Request":"` + certificates.stub + `"}}`,
	"resourceclaims":                  `{"spec":` + devices + `}`,
	"resourceclaimtemplates":          `{"spec":{"spec":` + devices + `}}`,
	"deviceclasses":                   `{"spec":{"selectors":[{"cel":{"expression":"true"}}]}}`,
	"resourceslices":                  `{"spec":{"driver":"example.com","nodeName":"a","pool":{"name":"a","generation":1,"resourceSliceCount":1},"devices":[{"name":"a"}]}}`,
	"devicetaintrules":                `{"spec":{"deviceSelector":{"driver":"example.com"},"taint":{"key":"a","effect":"NoSchedule"}}}`,
	"mutatingwebhookconfigurations":   webhooks,
	"validatingwebhookconfigurations": webhooks,
	"mutatingadmissionpolicies": `{"spec":{` + matches + `,"reinvocationPolicy":"Never","paramKind":{"apiVersion":"v1","kind":"ConfigMap"},
		"mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":"[JSONPatch{op: \"remove\", path: \"/a\"}]"}}]}}`,
	"mutatingadmissionpolicybindings":   `{"spec":{"policyName":"a","paramRef":{"name":"b","parameterNotFoundAction":"Deny"}}}`,
	"validatingadmissionpolicies":       `{"spec":{` + matches + `,"validations":[{"expression":"true"}]}}`,
	"validatingadmissionpolicybindings": `{"spec":{"policyName":"a","validationActions":["Deny"]}}`,
}

func TestEveryResourceHasASample(t *testing.T) {
	t.Parallel()
	var served []string
	for _, r := range registry.Resources() {
		served = append(served, r.Plural)
	}
	slices.Sort(served)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(samples)), served); diff != "" {
		t.Errorf("samples (-) and table (+) differ:\n%s", diff)
	}
}

// sample returns the sample of a resource under a name, as the client sends it.
func sample(t *testing.T, r registry.Resource, name string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(samples[r.Plural]), &object.Object); err != nil {
		t.Fatal(err)
	}
	object.SetGroupVersionKind(r.GroupVersionKind)
	object.SetName(name)
	object.SetLabels(map[string]string{"test": name})
	if group, ok := strings.CutPrefix(name, "v1."); ok && r.Kind == "APIService" {
		object.Object["spec"].(map[string]any)["group"] = group
	}
	if r.Kind == "Event" {
		object.Object["involvedObject"].(map[string]any)["namespace"] = own(t)
	}
	return object
}

// reach returns the client for a resource, in the test's namespace.
func reach(t *testing.T, server *Server, r registry.Resource) dynamic.ResourceInterface {
	t.Helper()
	client := untyped(t, server).Resource(r.GroupVersion().WithResource(r.Plural))
	if r.NamespaceScoped {
		return client.Namespace(own(t))
	}
	return client
}

// plain are the resources whose objects are gone when they are deleted, which
// is all but namespaces.
func plain() []registry.Resource {
	return slices.DeleteFunc(registry.Resources(), func(r registry.Resource) bool { return r.Kind == "Namespace" })
}

// TestLife takes an object of each resource through all that can happen to one,
// under the eyes of a watch.
func TestLife(t *testing.T) {
	t.Parallel()
	for _, r := range plain() {
		t.Run(r.Plural, func(t *testing.T) {
			t.Parallel()
			live(t, r, reach(t, shared, r), nameOf(r, own(t)))
		})
	}
}

func live(t *testing.T, r registry.Resource, client dynamic.ResourceInterface, name string) {
	ctx, got := t.Context(), must[*unstructured.Unstructured](t)
	events := watchSelected(t, client, name)

	created := got(client.Create(ctx, sample(t, r, name), metav1.CreateOptions{}))
	_, err := client.Create(ctx, sample(t, r, name), metav1.CreateOptions{})
	wantReason(t, err, metav1.StatusReasonAlreadyExists)
	if diff := cmp.Diff(created, got(client.Get(ctx, name, metav1.GetOptions{}))); diff != "" {
		t.Errorf("got (+) is not what was created (-):\n%s", diff)
	}

	annotate(created, "put")
	updated := got(client.Update(ctx, created, metav1.UpdateOptions{}))
	_, err = client.Update(ctx, created, metav1.UpdateOptions{})
	wantReason(t, err, metav1.StatusReasonConflict)

	patches := []types.PatchType{types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType, types.ApplyYAMLPatchType}
	for _, kind := range patches {
		got(client.Patch(ctx, name, kind, patchTo(t, r, name, kind), patchOptions(kind)))
	}
	list, err := client.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil || len(list.Items) != 1 || list.Items[0].GetUID() != updated.GetUID() {
		t.Errorf("listed %v, %v; want the object", list, err)
	}

	if err := client.Delete(ctx, name, background()); err != nil {
		t.Error(err)
	}
	_, err = client.Get(ctx, name, metav1.GetOptions{})
	wantReason(t, err, metav1.StatusReasonNotFound)

	want := []string{"ADDED ", "MODIFIED put"}
	for _, kind := range patches {
		want = append(want, "MODIFIED "+string(kind))
	}
	if r.Kind == "Pod" {
		// It gets a deletionTimestamp before it is deleted.
		want = append(want, "MODIFIED "+string(types.ApplyYAMLPatchType))
	}
	want = append(want, "DELETED "+string(types.ApplyYAMLPatchType))
	for _, w := range want {
		if got := next(t, events); got != w {
			t.Errorf("watched %q, want %q", got, w)
		}
	}
}

const mark = "example.com/last"

func annotate(object *unstructured.Unstructured, value string) {
	object.SetAnnotations(map[string]string{mark: value})
}

// patchOptions lets who applies have the annotation that others have set.
func patchOptions(kind types.PatchType) metav1.PatchOptions {
	if kind == types.ApplyYAMLPatchType {
		return metav1.PatchOptions{FieldManager: "applier", Force: ptr.To(true)}
	}
	return metav1.PatchOptions{}
}

// patchTo returns a patch that annotates the object with the type of the patch.
func patchTo(t *testing.T, r registry.Resource, name string, kind types.PatchType) []byte {
	t.Helper()
	if kind == types.JSONPatchType {
		return []byte(`[{"op":"replace","path":"/metadata/annotations/example.com~1last","value":"` + string(kind) + `"}]`)
	}
	object := &unstructured.Unstructured{Object: map[string]any{}}
	if kind == types.ApplyYAMLPatchType {
		object.SetGroupVersionKind(r.GroupVersionKind)
		object.SetName(name)
	}
	annotate(object, string(kind))
	data, err := json.Marshal(object.Object)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// watchSelected watches the objects with the label of a test, from now on. Without a resource
// version, a watch of a kind that has no watch cache reads the present objects some time after
// the server has answered: it may miss that an object was created.
func watchSelected(t *testing.T, client dynamic.ResourceInterface, name string) watch.Interface {
	t.Helper()
	selected := metav1.ListOptions{LabelSelector: "test=" + name}
	list := must[*unstructured.UnstructuredList](t)(client.List(t.Context(), selected))
	selected.ResourceVersion = list.GetResourceVersion()
	events, err := client.Watch(t.Context(), selected)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(events.Stop)
	return events
}

// next returns the next event and the object's annotation.
func next(t *testing.T, events watch.Interface) string {
	t.Helper()
	select {
	case event, ok := <-events.ResultChan():
		if !ok {
			t.Fatal("the watch has ended")
		}
		object, ok := event.Object.(*unstructured.Unstructured)
		if !ok {
			t.Fatalf("watched %s %v", event.Type, event.Object)
		}
		return string(event.Type) + " " + object.GetAnnotations()[mark]
	case <-t.Context().Done():
		t.Fatal("no event in time")
	}
	return ""
}

func TestDeleteCollection(t *testing.T) {
	t.Parallel()
	for _, r := range plain() {
		t.Run(r.Plural, func(t *testing.T) {
			t.Parallel()
			ctx, client, name := t.Context(), reach(t, shared, r), own(t)
			for _, suffix := range []string{"-1", "-2"} {
				object := sample(t, r, nameOf(r, name+suffix))
				object.SetLabels(map[string]string{"test": name})
				must[*unstructured.Unstructured](t)(client.Create(ctx, object, metav1.CreateOptions{}))
			}
			selected := metav1.ListOptions{LabelSelector: "test=" + name}
			if err := client.DeleteCollection(ctx, background(), selected); err != nil {
				t.Fatal(err)
			}
			left := must[*unstructured.UnstructuredList](t)(client.List(ctx, selected))
			if len(left.Items) != 0 {
				t.Errorf("%d objects are left", len(left.Items))
			}
		})
	}
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	for _, r := range registry.Resources() {
		t.Run(r.Plural, func(t *testing.T) {
			t.Parallel()
			ctx, client, name := t.Context(), reach(t, shared, r), nameOf(r, own(t))
			created, err := client.Create(ctx, sample(t, r, name), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			if err != nil || created.GetUID() == "" {
				t.Errorf("created %v, %v; want an object with a UID", created, err)
			}
			_, err = client.Get(ctx, name, metav1.GetOptions{})
			wantReason(t, err, metav1.StatusReasonNotFound)
		})
	}
}
