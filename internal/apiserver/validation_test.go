package apiserver

import (
	"encoding/json"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestRejectedCreation is the list of what is validated beyond metadata, in
// kube-apiserver's words.
func TestRejectedCreation(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		plural, object string
		want           string
	}
	const labels = `"metadata":{"labels":{"app":"a"}}`
	rows := []test{
		{row{"pod", "a pod of nothing"}, "pods", `{"spec":{}}`, `spec.containers: Required value`},
		{row{"image", "a container of nothing"}, "pods", `{"spec":{"containers":[{"name":"a"}]}}`, `spec.containers[0].image: Required value`},
		{row{"no name", "status speaks of containers by name"}, "pods", `{"spec":{"containers":[{"image":"a"}]}}`, `spec.containers[0].name: Required value`},
		{row{"two names", "names of containers are unique"}, "pods", `{"spec":{"containers":[{"name":"a","image":"a"}],"initContainers":[{"name":"a","image":"a"}]}}`, `spec.containers[0].name: Duplicate value: "a"`},
		{row{"name", "it is part of host names"}, "pods", `{"spec":{"containers":[{"name":"A","image":"a"}]}}`, `spec.containers[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of`},
		{row{"unmasked", "root of the pod would be root of the node"}, "pods", `{"spec":{"containers":[{"name":"a","image":"a","securityContext":{"procMount":"Unmasked"}}]}}`, "spec.containers[0].securityContext.procMount: Invalid value: \"Unmasked\": `hostUsers` must be false to use `Unmasked`"},
		{row{"no selector", "whose pods would it be"}, "deployments", `{"spec":{` + template + `}}`, `spec.selector: Required value`},
		{row{"selector", "it would make pods without end"}, "replicasets", `{"spec":{"selector":{"matchLabels":{"app":"b"}},` + template + `}}`,
			"spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`"},
		{row{"template", "pods in templates are pods"}, "daemonsets", `{"spec":{"selector":{"matchLabels":{"app":"a"}},"template":{` + labels + `}}}`, `spec.template.spec.containers: Required value`},
		{row{"stateful", "pods in templates are pods"}, "statefulsets", `{"spec":{"selector":{"matchLabels":{"app":"a"}},"template":{` + labels + `}}}`, `spec.template.spec.containers: Required value`},
		{row{"controller", "whose pods would it be"}, "replicationcontrollers", `{"spec":{}}`, `[spec.selector: Required value, spec.template: Required value]`},
		{row{"job", "pods in templates are pods"}, "jobs", `{"spec":{"template":{"spec":{"restartPolicy":"Never"}}}}`, `spec.template.spec.containers: Required value`},
		{row{"cron job", "when would it run"}, "cronjobs", `{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}}}}}}`, `spec.schedule: Required value`},
		{row{"pod template", "pods in templates are pods"}, "podtemplates", `{}`, `template.spec.containers: Required value`},
		{row{"service", "an address without a port"}, "services", `{"spec":{}}`, `spec.ports: Required value`},
		{row{"external", "a name for nothing"}, "services", `{"spec":{"type":"ExternalName"}}`, `spec.externalName: Required value`},
		{row{"ports", "several ports need names"}, "services", `{"spec":{"ports":[{"port":80},{"name":"b","port":81}]}}`, `spec.ports[0].name: Required value`},
		{row{"same ports", "names of ports are unique"}, "services", `{"spec":{"ports":[{"name":"b","port":80},{"name":"b","port":81}]}}`, `spec.ports[1].name: Duplicate value: "b"`},
		{row{"port", "there is no such port"}, "services", `{"spec":{"ports":[{"port":65536}]}}`, `[spec.ports[0].port: Invalid value: 65536: must be between 1 and 65535, inclusive, spec.ports[0].targetPort: Invalid value: 65536`},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		served := find(t, r.plural)
		object := &unstructured.Unstructured{}
		if err := json.Unmarshal([]byte(r.object), &object.Object); err != nil {
			t.Fatal(err)
		}
		object.SetGroupVersionKind(served.GroupVersionKind)
		object.SetName(own(t))
		_, err := reach(t, shared, served).Create(t.Context(), object, metav1.CreateOptions{})
		wantInvalid(t, err, own(t), r.want)
	})
}

func wantInvalid(t *testing.T, err error, name, want string) {
	t.Helper()
	wantReason(t, err, metav1.StatusReasonInvalid)
	_, got, _ := strings.Cut(testtable.Text(err), `"`+name+`" is invalid: `)
	if !strings.HasPrefix(got, want) {
		t.Errorf("got  %s\nwant %s…", got, want)
	}
}

// TestUpdates is about what stays as it was created, and what does not have to.
func TestUpdates(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		plural string
		// first is a patch that is accepted, unless it is empty.
		first, patch string
		// want is empty if the patch is accepted too.
		want string
	}
	const sealed = `{"immutable":true}`
	rows := []test{
		{row{"image", "pods can be updated in place"}, "pods", "", `{"spec":{"containers":[{"name":"a","image":"a:2"}]}}`, ""},
		{row{"deadline", "it may be moved"}, "pods", "", `{"spec":{"activeDeadlineSeconds":9}}`, ""},
		{row{"toleration", "it may be added"}, "pods", "", `{"spec":{"tolerations":[{"key":"a","operator":"Exists"}]}}`, ""},
		{row{"lost toleration", "it may not be taken away"}, "pods", `{"spec":{"tolerations":[{"key":"a","operator":"Exists"}]}}`, `{"spec":{"tolerations":[]}}`,
			"spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`"},
		{row{"command", "the process runs already"}, "pods", "", `{"spec":{"containers":[{"name":"a","image":"a:1","command":["b"]}]}}`,
			"spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`"},
		{row{"another container", "the pod runs already"}, "pods", "", `{"spec":{"containers":[{"name":"a","image":"a:1"},{"name":"b","image":"b"}]}}`,
			"spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`"},
		{row{"template", "workloads replace pods"}, "deployments", "", `{"spec":{"template":{"spec":{"nodeName":"a"}}}}`, ""},
		{row{"selector", "pods would lose their owner"}, "deployments", "", `{"spec":{"selector":{"matchLabels":{"app":"a","b":"c"}},"template":{"metadata":{"labels":{"app":"a","b":"c"}}}}}`,
			`spec.selector: Invalid value: {"matchLabels":{"app":"a","b":"c"}}: field is immutable`},
		{row{"secret's type", "who reads it relies on it"}, "secrets", "", `{"type":"other"}`, `type: Invalid value: "other": field is immutable`},
		{row{"sealed secret", "its author wanted it so"}, "secrets", sealed, `{"data":{"a":"Yw=="}}`, "data: Forbidden: field is immutable when `immutable` is set"},
		{row{"sealed data", "its author wanted it so"}, "configmaps", sealed, `{"binaryData":{"b":"Yw=="}}`, "binaryData: Forbidden: field is immutable when `immutable` is set"},
		{row{"unsealed", "it would be no seal"}, "configmaps", sealed, `{"immutable":false}`, "immutable: Forbidden: field is immutable when `immutable` is set"},
		{row{"sealed label", "metadata is not sealed"}, "configmaps", sealed, `{"metadata":{"labels":{"b":"c"}}}`, ""},
		{row{"role", "who granted it granted this one"}, "rolebindings", "", `{"roleRef":{"name":"b"}}`, `roleRef: Invalid value: {"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"b"}: cannot change roleRef`},
		{row{"cluster role", "who granted it granted this one"}, "clusterrolebindings", "", `{"roleRef":{"name":"b"}}`, `roleRef: Invalid value: {"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"b"}: cannot change roleRef`},
		{row{"stateful", "its pods may change"}, "statefulsets", "", `{"spec":{"replicas":2,"template":{"spec":{"nodeName":"a"}},"minReadySeconds":1}}`, ""},
		{row{"stateful name", "the names of its pods would change"}, "statefulsets", "", `{"spec":{"serviceName":"b"}}`,
			"spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template'"},
		{row{"job", "its pods run already"}, "jobs", "", `{"spec":{"template":{"spec":{"nodeName":"a"}}}}`, "spec.template: Invalid value: "},
		{row{"suspended job", "no pod runs yet"}, "jobs", `{"spec":{"suspend":true}}`, `{"spec":{"template":{"spec":{"nodeSelector":{"a":"b"}}}}}`, ""},
		{row{"parallel job", "it may run in more pods"}, "jobs", "", `{"spec":{"parallelism":2}}`, ""},
		{row{"claim", "the volume has the mode already"}, "persistentvolumeclaims", "", `{"spec":{"accessModes":["ReadWriteMany"]}}`, "spec: Forbidden: spec is immutable after creation except"},
		{row{"claim's size", "volumes grow"}, "persistentvolumeclaims", "", `{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}`, ""},
		{row{"bound claim", "a controller binds it"}, "persistentvolumeclaims", "", `{"spec":{"volumeName":"a","storageClassName":"b"}}`, ""},
		{row{"volume", "the data would be elsewhere"}, "persistentvolumes", "", `{"spec":{"hostPath":{"path":"/b"}}}`, "spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation"},
		{row{"priority", "pods have it already"}, "priorityclasses", "", `{"value":8}`, "value: Forbidden: may not be changed in an update."},
		{row{"provisioner", "volumes have it already"}, "storageclasses", "", `{"provisioner":"b"}`, `provisioner: Invalid value: null: field is immutable`},
		{row{"handler", "pods run with it already"}, "runtimeclasses", "", `{"handler":"b"}`, `handler: Invalid value: null: field is immutable`},
		{row{"invalid", "an update is validated, too"}, "deployments", "", `{"spec":{"replicas":-1}}`, "spec.replicas: Invalid value: -1: must be greater than or equal to 0"},
		{row{"address", "clients know it"}, "services", "", `{"spec":{"clusterIP":"10.96.200.1","clusterIPs":["10.96.200.1"]}}`, `spec.clusterIPs[0]: Invalid value: ["10.96.200.1"]: may not change once set`},
		{row{"no address", "a missing field means no change"}, "services", "", `{"spec":{"clusterIP":null,"clusterIPs":null}}`, ""},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		name, client := seed(t, r.plural), reach(t, shared, find(t, r.plural))
		kind := types.MergePatchType
		if r.first != "" {
			must[*unstructured.Unstructured](t)(client.Patch(t.Context(), name, kind, []byte(r.first), metav1.PatchOptions{}))
		}
		_, err := client.Patch(t.Context(), name, kind, []byte(r.patch), metav1.PatchOptions{})
		if r.want != "" {
			wantInvalid(t, err, name, r.want)
		} else if err != nil {
			t.Error(err)
		}
	})
}

// TestNamesOfRoles: colons are what kube-apiserver's own roles have.
func TestNamesOfRoles(t *testing.T) {
	t.Parallel()
	r := find(t, "clusterroles")
	object := sample(t, r, "system:"+own(t))
	object.SetLabels(nil)
	must[*unstructured.Unstructured](t)(reach(t, shared, r).Create(t.Context(), object, metav1.CreateOptions{}))
	object.SetName("a/b")
	_, err := reach(t, shared, r).Create(t.Context(), object, metav1.CreateOptions{})
	wantReason(t, err, metav1.StatusReasonInvalid)
}
