package scenarios_test

import (
	"encoding/json"
	"slices"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// testDiscovery is E-01. It gets the three documents separately, because
// today's discovery client gets them in one.
func testDiscovery(t *testing.T, w *world) {
	var groups metav1.APIGroupList
	w.read(t, "/apis", &groups)
	at := slices.IndexFunc(groups.Groups, isRegistration)
	if at < 0 || !slices.Contains(groups.Groups[at].Versions, registrationVersion()) {
		t.Errorf("/apis has not %v in it: %v", registrationVersion(), groups.Groups)
	}
	var group metav1.APIGroup
	w.read(t, "/apis/admissionregistration.k8s.io", &group)
	if !isRegistration(group) || !slices.Contains(group.Versions, registrationVersion()) {
		t.Errorf("group is %v, want one of %v", group, registrationVersion())
	}
	var resources metav1.APIResourceList
	w.read(t, "/apis/admissionregistration.k8s.io/v1", &resources)
	if resources.GroupVersion != registrationVersion().GroupVersion {
		t.Errorf("group version is %q, want %q", resources.GroupVersion, registrationVersion().GroupVersion)
	}
	for _, name := range []string{"mutatingwebhookconfigurations", "validatingwebhookconfigurations"} {
		if !slices.ContainsFunc(resources.APIResources, func(r metav1.APIResource) bool { return r.Name == name }) {
			t.Errorf("there are no %s: %v", name, resources.APIResources)
		}
	}
}

func isRegistration(g metav1.APIGroup) bool { return g.Name == registrationv1.GroupName }

func registrationVersion() metav1.GroupVersionForDiscovery {
	return metav1.GroupVersionForDiscovery{GroupVersion: registrationv1.SchemeGroupVersion.String(), Version: "v1"}
}

// read reads the JSON document at a path.
func (w *world) read(t *testing.T, path string, into any) {
	t.Helper()
	text := must[[]byte](t)(w.CoreV1().RESTClient().Get().AbsPath(path).SetHeader("Accept", "application/json").DoRaw(t.Context()))
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}
