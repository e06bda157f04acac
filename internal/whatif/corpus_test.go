package whatif_test

import (
	"encoding/json"
	"fmt"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/dispatcher/corpus"
)

// object is what a request is about.
type object struct {
	group, version, kind, resource, subresource string
	operation                                   admissionv1.Operation
	// parts are fields besides metadata.
	parts string
}

// objects are those of the corpus.
var objects = []object{
	{"", "v1", "Pod", "pods", "", "CREATE", `"spec": {"containers": [{"name": "c", "image": "nginx:latest"}]}`},
	{"", "v1", "Pod", "pods", "", "CREATE", `"spec": {"containers": [{"name": "c", "image": "nginx:1"}]}`},
	{"", "v1", "Pod", "pods", "", "UPDATE", `"spec": {"containers": [{"name": "c", "image": "nginx:latest"}]}`},
	{"", "v1", "PodExecOptions", "pods", "exec", "CONNECT", `"command": ["sh"]`},
	{"apps", "v1", "Deployment", "deployments", "", "UPDATE", `"spec": {"replicas": 20, "selector": {}, "template": {}}`},
	{"autoscaling", "v1", "Scale", "deployments", "scale", "UPDATE", `"spec": {"replicas": 20}`},
	{"autoscaling", "v1", "Scale", "deployments", "scale", "UPDATE", `"spec": {"replicas": 2}`},
	{"apps", "v1", "StatefulSet", "statefulsets", "", "CREATE", `"spec": {"replicas": 2, "selector": {}, "template": {}}`},
	{"apps", "v1", "DaemonSet", "daemonsets", "", "CREATE", `"spec": {"selector": {}, "template": {}}`},
	{"", "v1", "ConfigMap", "configmaps", "", "CREATE", `"data": {"a": "1"}`},
	{"", "v1", "ConfigMap", "configmaps", "", "CREATE", `"data": {"a": "1", "b": "2", "c": "3"}`},
	{"", "v1", "ConfigMap", "configmaps", "", "UPDATE", `"data": {"password": "tiger"}`},
	{"", "v1", "Secret", "secrets", "", "CREATE", `"stringData": {"password": "tiger"}`},
	{"", "v1", "Service", "services", "", "CREATE", `"spec": {"ports": [{"port": 80}]}`},
	{"", "v1", "Service", "services", "", "DELETE", `"spec": {"ports": [{"port": 80}]}`},
	{"shop.example.com", "v1", "Widget", "widgets", "", "CREATE", `"spec": {"size": 3}`},
	{"shop.example.com", "v1beta1", "Widget", "widgets", "", "UPDATE", `"spec": {"size": 3}`},
}

// labels are the labels of the objects of the corpus.
var labels = []string{
	`null`, `{"inject": "true"}`, `{"exempt": "yes", "port": "22"}`, `{"team": "gold", "inject": "true"}`,
}

// requests returns the corpus: every object in three namespaces, with four sets of
// labels, by two users.
func requests(t testing.TB) []*corpus.Entry {
	t.Helper()
	var all []*corpus.Entry
	for _, o := range objects {
		for _, namespace := range []string{"blue", "green", "red"} {
			for i, l := range labels {
				user := "alice"
				switch {
				case o.subresource == "exec" && i%2 == 0:
					user = "mallory"
				case i == 1:
					user = "system:serviceaccount:kube-system:controller"
				}
				id := fmt.Sprintf("r%03d", len(all))
				all = append(all, entry(t, id, o.request(namespace, l, user)))
			}
		}
	}
	return all
}

func (o *object) request(namespace, labels, user string) *admissionv1.AdmissionRequest {
	api := o.version
	if o.group != "" {
		api = o.group + "/" + o.version
	}
	metadata := fmt.Sprintf(`"metadata": {"name": "web", "namespace": %q, "labels": %s}, `, namespace, labels)
	if o.subresource == "exec" {
		metadata = ""
	}
	text := []byte(fmt.Sprintf(`{"apiVersion": %q, "kind": %q, %s%s}`, api, o.kind, metadata, o.parts))
	group := o.group
	if o.kind == "Scale" {
		group = "apps"
	}
	q := &admissionv1.AdmissionRequest{
		Kind:        metav1.GroupVersionKind{Group: o.group, Version: o.version, Kind: o.kind},
		Resource:    metav1.GroupVersionResource{Group: group, Version: o.version, Resource: o.resource},
		SubResource: o.subresource, Name: "web", Namespace: namespace, Operation: o.operation,
		UserInfo: authenticationv1.UserInfo{Username: user},
	}
	q.RequestKind, q.RequestResource, q.RequestSubResource = &q.Kind, &q.Resource, q.SubResource
	raw := runtime.RawExtension{Raw: json.RawMessage(text)}
	switch o.operation {
	case admissionv1.Delete:
		q.OldObject = raw
	case admissionv1.Update:
		q.Object, q.OldObject = raw, raw
	default:
		q.Object = raw
	}
	return q
}
