package request_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/testutil/testtable"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

type row = testtable.Row

// received returns the review that a mutating webhook gets of a request, byte
// by byte but for the uid.
func received(t *testing.T, r *admission.Request) []byte {
	t.Helper()
	var body []byte
	webhook := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":%s,"allowed":true}}`, uid.FindSubmatch(body)[1])
	})
	webhooks, err := source.Fixed([]runtime.Object{everything()})
	if err != nil {
		t.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{
		Source: webhooks,
		Client: client.InProcess(func(*admission.Webhook) http.Handler { return webhook }),
		// Reviews of tokens and of access reach no webhook by default.
		Excluded: func(schema.GroupResource) bool { return false },
	})
	if err != nil {
		t.Fatal(err)
	}
	response, err := simulate.Request(t.Context(), d, r, apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme))
	if err != nil {
		t.Fatal(err)
	}
	if !response.Allowed || len(response.Calls) != 1 {
		t.Fatalf("%d calls, and the answer was %v", len(response.Calls), response.Status)
	}
	return uid.ReplaceAll(body, []byte(`"request":{"uid":"UID"`))
}

var uid = regexp.MustCompile(`"request":\{"uid":("[0-9a-f-]{36}")`)

// everything is a webhook that all requests visit.
func everything() *registrationv1.MutatingWebhookConfiguration {
	return &registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "everything"},
		Webhooks: []registrationv1.MutatingWebhook{{
			Name:         "everything.example.com",
			ClientConfig: registrationv1.WebhookClientConfig{URL: new("https://everything.example.com/")},
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{"*"},
				Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}},
			}},
			SideEffects:             new(registrationv1.SideEffectClassNone),
			AdmissionReviewVersions: []string{"v1"},
		}},
	}
}

// gist says in a line what is in a review, for example
//
//	CREATE v1 pods/binding shop/web: v1 Binding, object same, old null, options meta.k8s.io/v1 CreateOptions
//
// which are the operation, the endpoint, the namespace and the name, the kind,
// and the kinds of the objects and of the options: "same" if an object is of
// the kind that the review announces.
func gist(t *testing.T, body []byte) string {
	t.Helper()
	var review admissionv1.AdmissionReview
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&review); err != nil {
		t.Fatal(err)
	}
	r := review.Request
	if *r.RequestKind != r.Kind || *r.RequestResource != r.Resource || r.RequestSubResource != r.SubResource {
		t.Errorf("the webhook is shown %v %v/%s of a request for %v %v/%s",
			r.Kind, r.Resource, r.SubResource, r.RequestKind, r.RequestResource, r.RequestSubResource)
	}
	path := r.Resource.Resource
	if r.SubResource != "" {
		path += "/" + r.SubResource
	}
	kind := groupVersion(r.Kind.Group, r.Kind.Version) + " " + r.Kind.Kind
	text := fmt.Sprintf("%s %s %s %s/%s: %s, object %s, old %s, options %s", r.Operation,
		groupVersion(r.Resource.Group, r.Resource.Version), path, r.Namespace, r.Name, kind,
		kindIn(t, r.Object, kind), kindIn(t, r.OldObject, kind), kindIn(t, r.Options, kind))
	if *r.DryRun {
		text += ", dry run"
	}
	return text
}

func groupVersion(group, version string) string {
	return strings.TrimPrefix(group+"/"+version, "/")
}

// kindIn returns the kind of an object, "same" if it is that of the request.
func kindIn(t *testing.T, raw runtime.RawExtension, same string) string {
	t.Helper()
	if raw.Raw == nil {
		return "null"
	}
	var m metav1.TypeMeta
	if err := json.Unmarshal(raw.Raw, &m); err != nil {
		t.Fatal(err)
	}
	if kind := m.APIVersion + " " + m.Kind; kind != same {
		return kind
	}
	return "same"
}

// matchFile compares a text with the file that holds what it should be.
func matchFile(t *testing.T, got []byte, path ...string) {
	t.Helper()
	file := filepath.Join(append([]string{"testdata"}, path...)...)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; the flag -update makes the file", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
