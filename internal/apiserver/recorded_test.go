package apiserver

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/apiserver/serviceresolver"
)

// label labels Secrets, and denies config maps.
func label(w http.ResponseWriter, r *http.Request) {
	review(w, r, func(q *admissionv1.AdmissionRequest, to *admissionv1.AdmissionResponse) {
		switch {
		case q.Kind.Kind == "Secret" && q.OldObject.Raw == nil:
			to.Patch, to.PatchType = []byte(`[{"op":"add","path":"/metadata/labels","value":{"by":"hook"}},{"op":"add","path":"/stringData","value":{"more":"battery-staple"}}]`), new(admissionv1.PatchTypeJSONPatch)
			to.Warnings = []string{"correct-horse is weak"}
		case q.Kind.Kind == "ConfigMap":
			deny(q, to)
		}
	})
}

// TestRecorded records the requests of a server, and reads them.
func TestRecorded(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	writer, err := corpus.Create(folder, corpus.Compressed())
	if err != nil {
		t.Fatal(err)
	}
	recorder := corpus.NewRecorder(corpus.RecorderConfig{
		Writer: writer, Options: corpus.Options{Source: corpus.FromPlugin}, MaxQueue: 10000,
		Problem: func(err error) { t.Errorf("recording: %v", err) },
	})
	w := &world{Server: start(t, Config{
		Admission: DefaultAdmission("", plugin.WithRecorder(recorder.Record)),
		Webhooks: serviceresolver.Config{
			Handlers: map[serviceresolver.Service]http.Handler{{Namespace: "hooks", Name: "handler"}: http.HandlerFunc(label)},
		},
	})}
	namespace := w.namespace(t)
	w.install(t, "MutatingWebhookConfiguration", webhook{handler("/"), `"*"`, "/secrets", ""}, webhook{handler("/"), `"*"`, "/configmaps", ""})
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s"}, Data: map[string][]byte{"password": []byte("correct-horse")}}
	secrets := typed(t, w.Server).CoreV1().Secrets(namespace)
	created := must[*corev1.Secret](t)(secrets.Create(t.Context(), secret, metav1.CreateOptions{}))
	created.Data["password"] = []byte("a-new-password")
	updated := must[*corev1.Secret](t)(secrets.Update(t.Context(), created, metav1.UpdateOptions{}))
	// Without the precondition, the server would call admission twice if its watch cache has
	// not seen the update yet.
	newest := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &updated.ResourceVersion}}
	if err := secrets.Delete(t.Context(), "s", newest); err != nil {
		t.Fatal(err)
	}
	if _, err := w.configMaps(t, namespace).Create(t.Context(), configMap(), metav1.CreateOptions{}); err == nil {
		t.Error("the config map was admitted")
	}
	must[*corev1.ServiceAccount](t)(typed(t, w.Server).CoreV1().ServiceAccounts(namespace).Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "unseen"}}, metav1.CreateOptions{}))
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for e, err := range corpus.Read(folder) {
		if err != nil {
			t.Fatal(err)
		}
		r, err := request.FromReview(e.Review, apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme))
		if err != nil {
			t.Errorf("%v\n%s", err, e.Review)
			continue
		}
		if r.Namespace != namespace || r.Resource.Resource == "namespaces" || strings.HasPrefix(r.User.Username, "system:") {
			continue
		}
		line := string(r.Operation) + " " + r.Resource.Resource + ":"
		for _, a := range e.Answers {
			line += " " + a.Phase + " " + a.Outcome
			if a.Asked == "" || a.Response == nil {
				t.Errorf("%s: the answer is %+v", line, a)
			}
		}
		if e.Verdict == nil || !e.Verdict.Allowed {
			line += ", denied"
		}
		if e.NamespaceLabels[corev1.LabelMetadataName] != namespace {
			t.Errorf("%s: the labels of the namespace are %v", line, e.NamespaceLabels)
		}
		got = append(got, line)
	}
	want := []string{
		"CREATE secrets: mutating allowed", "UPDATE secrets: mutating allowed", "DELETE secrets: mutating allowed",
		"CREATE configmaps: mutating rejected, denied", "CREATE serviceaccounts:",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the requests (-want +got):\n%s", diff)
	}
	wantNoSecrets(t, folder)
	if counts := recorder.Counts(); counts.Dropped+counts.Failed > 0 {
		t.Errorf("the counts are %+v", counts)
	}
}

// wantNoSecrets looks for the data of Secrets in what the corpus is when it is
// written without compression.
func wantNoSecrets(t *testing.T, folder string) {
	t.Helper()
	plain := t.TempDir()
	writer, err := corpus.Create(plain)
	if err != nil {
		t.Fatal(err)
	}
	for e := range corpus.Read(folder) {
		if err := writer.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(plain + "/*")
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"correct-horse", "Y29ycmVjdC1ob3JzZQ", "a-new-password", "YS1uZXctcGFzc3dvcmQ", "battery-staple", "YmF0dGVyeS1zdGFwbGU"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the corpus has %s", secret)
		}
	}
	if !strings.Contains(string(text), "[redacted] is weak") {
		t.Error("the corpus lacks the warning of the webhook")
	}
}
