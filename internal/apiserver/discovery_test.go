package apiserver

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"

	"example.com/gatehouse/internal/apiserver/registry"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestDiscovery compares what clients find out with the table, in both ways in
// which they ask.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		legacy bool
	}
	rows := []test{
		{row{"aggregated", "clients of today ask once"}, false},
		{row{"legacy", "older clients ask for each group"}, true},
	}
	var want []string
	for _, r := range registry.Resources() {
		for _, version := range r.Versions() {
			verbs := []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
			if r.Kind == "Namespace" {
				verbs = slices.DeleteFunc(verbs, func(v string) bool { return v == "deletecollection" })
			}
			want = append(want, describeResource(version.String(), r.Kind, r.Plural, r.SingularName(), r.ShortNames, r.Categories, verbs, r.NamespaceScoped))
		}
	}
	for _, r := range registry.Reviews() {
		want = append(want, describeResource(r.GroupVersion().String(), r.Kind, r.Plural, r.SingularName(), nil, nil, []string{"create"}, r.NamespaceScoped))
	}
	want = append(want, subresources()...)
	slices.Sort(want)
	testtable.Run(t, rows, func(t *testing.T, r test) {
		client, err := discovery.NewDiscoveryClientForConfig(shared.ClientConfig())
		if err != nil {
			t.Fatal(err)
		}
		client.UseLegacyDiscovery = r.legacy
		_, lists, err := client.ServerGroupsAndResources()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, found(t, lists)); diff != "" {
			t.Errorf("resources (-want, +got):\n%s", diff)
		}
	})
}

// subresources are those of all resources, and one resource that stores
// nothing.
func subresources() []string {
	all := []string{describeResource("v1", "Binding", "bindings", "binding", nil, nil, []string{"create"}, true)}
	add := func(path, kind, verbs string, namespaced bool) {
		version, path, _ := strings.Cut(path, " ")
		all = append(all, describeResource(version, kind, path, "", nil, nil, strings.Split(verbs, ","), namespaced))
	}
	for path, kind := range map[string]string{
		"v1 persistentvolumeclaims": "PersistentVolumeClaim", "v1 pods": "Pod", "v1 replicationcontrollers": "ReplicationController",
		"v1 resourcequotas": "ResourceQuota", "v1 services": "Service",
		"apps/v1 daemonsets": "DaemonSet", "apps/v1 deployments": "Deployment", "apps/v1 replicasets": "ReplicaSet", "apps/v1 statefulsets": "StatefulSet",
		"autoscaling/v1 horizontalpodautoscalers": "HorizontalPodAutoscaler", "autoscaling/v2 horizontalpodautoscalers": "HorizontalPodAutoscaler",
		"batch/v1 cronjobs": "CronJob", "batch/v1 jobs": "Job",
		"networking.k8s.io/v1 ingresses": "Ingress", "policy/v1 poddisruptionbudgets": "PodDisruptionBudget",
		"certificates.k8s.io/v1 podcertificaterequests": "PodCertificateRequest", "resource.k8s.io/v1 resourceclaims": "ResourceClaim",
	} {
		add(path+"/status", kind, "get,patch,update", true)
	}
	for path, kind := range map[string]string{
		"admissionregistration.k8s.io/v1 validatingadmissionpolicies": "ValidatingAdmissionPolicy",
		"v1 namespaces": "Namespace", "v1 nodes": "Node", "v1 persistentvolumes": "PersistentVolume",
		"flowcontrol.apiserver.k8s.io/v1 flowschemas":                 "FlowSchema",
		"flowcontrol.apiserver.k8s.io/v1 prioritylevelconfigurations": "PriorityLevelConfiguration",
		"certificates.k8s.io/v1 certificatesigningrequests":           "CertificateSigningRequest",
		"storage.k8s.io/v1 volumeattachments":                         "VolumeAttachment",
		"storage.k8s.io/v1 csinodes":                                  "CSINode",
		"storagemigration.k8s.io/v1 storageversionmigrations":         "StorageVersionMigration",
		"networking.k8s.io/v1 servicecidrs":                           "ServiceCIDR",
		"resource.k8s.io/v1 devicetaintrules":                         "DeviceTaintRule",
		"apiregistration.k8s.io/v1 apiservices":                       "APIService",
	} {
		add(path+"/status", kind, "get,patch,update", false)
	}
	for _, path := range []string{"v1 replicationcontrollers", "apps/v1 deployments", "apps/v1 replicasets", "apps/v1 statefulsets"} {
		add(path+"/scale", "autoscaling/v1 Scale", "get,patch,update", true)
	}
	for _, what := range []string{"attach", "exec"} {
		add("v1 pods/"+what, "Pod"+strings.ToUpper(what[:1])+what[1:]+"Options", "create,get", true)
	}
	const proxied = "create,delete,get,patch,update"
	add("certificates.k8s.io/v1 certificatesigningrequests/approval", "CertificateSigningRequest", "get,patch,update", false)
	add("v1 namespaces/finalize", "Namespace", "update", false)
	add("v1 nodes/proxy", "NodeProxyOptions", proxied, false)
	add("v1 pods/binding", "Binding", "create", true)
	add("v1 pods/ephemeralcontainers", "Pod", "get,patch,update", true)
	add("v1 pods/eviction", "policy/v1 Eviction", "create", true)
	add("v1 pods/log", "Pod", "get", true)
	add("v1 pods/portforward", "PodPortForwardOptions", "create,get", true)
	add("v1 pods/proxy", "PodProxyOptions", proxied, true)
	add("v1 pods/resize", "Pod", "get,patch,update", true)
	add("v1 serviceaccounts/token", "authentication.k8s.io/v1 TokenRequest", "create", true)
	add("v1 services/proxy", "ServiceProxyOptions", proxied, true)
	return all
}

func found(t *testing.T, lists []*metav1.APIResourceList) []string {
	t.Helper()
	var found []string
	for _, list := range lists {
		if strings.HasPrefix(list.GroupVersion, "apiextensions.k8s.io/") || strings.Contains(list.GroupVersion, "example.com/") {
			continue // custom resources have tests of their own
		}
		for _, r := range list.APIResources {
			kind := r.Kind
			if r.Version != "" && strings.Contains(r.Name, "/") && r.Group+"/"+r.Version != list.GroupVersion && r.Group != "" {
				kind = r.Group + "/" + r.Version + " " + kind
			}
			singular := r.SingularName
			if strings.Contains(r.Name, "/") {
				singular = "" // aggregated discovery knows the resource's only
			}
			slices.Sort(r.Verbs)
			found = append(found, describeResource(list.GroupVersion, kind, r.Name, singular, r.ShortNames, r.Categories, r.Verbs, r.Namespaced))
		}
	}
	slices.Sort(found)
	return found
}

func describeResource(version, kind, plural, singular string, short, categories, verbs []string, namespaced bool) string {
	parts := []string{version, plural, kind, singular, strings.Join(short, ","), strings.Join(categories, ","), strings.Join(verbs, ",")}
	if namespaced {
		parts = append(parts, "namespaced")
	}
	return strings.Join(parts, " ")
}

// TestSubresourcesAreKubes asks package kinds, whose table comes from
// client-go, which resources have a status and a scale.
func TestSubresourcesAreKubes(t *testing.T) {
	t.Parallel()
	known := kinds.New()
	have := subresources()
	for _, r := range registry.Resources() {
		if r.Kind == "APIService" {
			continue // client-go has no client for it
		}
		for _, sub := range []string{"status", "scale"} {
			want := known.CheckSubresource(r.GroupVersion().WithResource(r.Plural), sub) == nil
			got := slices.ContainsFunc(have, func(s string) bool { return strings.HasPrefix(s, r.GroupVersion().String()+" "+r.Plural+"/"+sub+" ") })
			if got != want {
				t.Errorf("%s/%s: served %t, want %t", r.Plural, sub, got, want)
			}
		}
	}
}

// TestDocuments gets what clients read besides resources.
func TestDocuments(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		path string
		want []string
	}
	rows := []test{
		{row{"OpenAPI v2", "kubectl validates and explains with it"}, "/openapi/v2",
			[]string{`"io.k8s.api.core.v1.Pod":`, `"/apis/apps/v1/namespaces/{namespace}/deployments"`, `"x-kubernetes-group-version-kind"`}},
		{row{"OpenAPI v3", "newer clients ask for single groups"}, "/openapi/v3/apis/admissionregistration.k8s.io/v1",
			[]string{`"io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration":`, `"x-kubernetes-list-map-keys"`}},
		{row{"metrics", "what is in the server can be seen"}, "/metrics", []string{"apiserver_request_total{"}},
		{row{"readiness", "it has caches and hooks behind it"}, "/readyz?verbose",
			[]string{"[+]storage/apps/v1 ok", "readyz check passed"}},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		body := visit(t, r.path, "*/*")
		for _, want := range r.want {
			if !bytes.Contains(body, []byte(want)) {
				t.Errorf("%s lacks %s in %d bytes", r.path, want, len(body))
			}
		}
		if bytes.Contains(body, []byte("__internal")) && r.path != "/metrics" {
			t.Errorf("%s mentions internal versions", r.path)
		}
	})
}

func TestUnknownPath(t *testing.T) {
	t.Parallel()
	if code, body := get(t, shared.ClientConfig().BearerToken, "/apis/batch/v2/jobs", "*/*"); code != http.StatusNotFound {
		t.Errorf("got %d %s, want 404", code, body)
	}
}
