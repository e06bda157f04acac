package corpus_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// TestNoSecretInAnyByte records requests for Secrets whose webhooks repeat the
// data wherever a webhook can, and looks for it in the bytes of the file.
func TestNoSecretInAnyByte(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp(folder, "")
		if err != nil {
			t.Fatal(err)
		}
		w, err := corpus.Create(folder)
		if err != nil {
			t.Fatal(err)
		}
		secrets := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9]{2}ZZ[a-z0-9]{0,3}Q[ -~]{0,12}Z`), 6, 6, rapid.ID).Draw(t, "secrets")
		r := secretRequest(t, secrets)
		e, err := corpus.FromResponse(admit(t, server(t, leaky(t, secrets)), r), corpus.Options{Source: corpus.FromRun})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write(e), w.Close()); err != nil {
			t.Fatal(err)
		}
		file, _ := filepath.Glob(filepath.Join(folder, "*"))
		text, err := os.ReadFile(file[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range secrets {
			if form := found(string(text), secret); form != "" {
				t.Fatalf("%q of %q is in the file:\n%s", form, secret, text)
			}
		}
		again, err := request.FromReview(e.Review, builtIn())
		if err != nil {
			t.Fatalf("the request cannot be read: %v\n%s", err, text)
		}
		admit(t, server(t, func(*admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) { return allow(""), nil }), again)
		checkPointers(t, e)
	})
}

// found returns the form of a secret in which a text has it.
func found(text, secret string) string {
	encoded := base64.StdEncoding.EncodeToString([]byte(secret))
	twice := base64.StdEncoding.EncodeToString([]byte(encoded))
	quoted, _ := json.Marshal(secret)
	for _, form := range []string{secret, encoded, twice, string(quoted[1 : len(quoted)-1])} {
		if strings.Contains(text, form) {
			return form
		}
	}
	for at := strings.Index(text, `"patch":"`); at >= 0; at = strings.Index(text, `"patch":"`) {
		text = text[at+len(`"patch":"`):]
		if patch, err := base64.StdEncoding.DecodeString(text[:strings.Index(text, `"`)]); err == nil {
			if form := found(string(patch), secret); form != "" {
				return "in a patch: " + form
			}
		}
	}
	return ""
}

// checkPointers requires that every pointer leads to a value of the entry.
func checkPointers(t *rapid.T, e *corpus.Entry) {
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Redacted) == 0 {
		t.Fatal("nothing is marked")
	}
	for _, pointer := range e.Redacted {
		var value any
		_ = json.Unmarshal(text, &value)
		for token := range strings.SplitSeq(pointer[1:], "/") {
			token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
			switch v := value.(type) {
			case map[string]any:
				value = v[token]
			case []any:
				var i int
				_, _ = fmt.Sscan(token, &i)
				value = v[i]
			default:
				t.Fatalf("%s leads nowhere", pointer)
			}
		}
		if _, ok := value.(string); !ok {
			t.Fatalf("%s leads to %v", pointer, value)
		}
	}
}

func secretRequest(t *rapid.T, secrets []string) *admission.Request {
	secret := &corev1.Secret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: metav1.ObjectMeta{Name: "s", Namespace: "shop", Annotations: map[string]string{"copy": "it is " + secrets[0], "x": secrets[1]}},
		Data:       map[string][]byte{"a": []byte(secrets[0]), "b": []byte(secrets[1])},
		StringData: map[string]string{"c": secrets[2]},
	}
	applied, err := json.Marshal(&corev1.Secret{Data: map[string][]byte{"old": []byte(secrets[3])}})
	if err != nil {
		t.Fatal(err)
	}
	secret.Annotations[lastApplied] = string(applied)
	r := &admission.Request{
		Operation: admissionv1.Create, Kind: secret.GroupVersionKind(), Resource: corev1.SchemeGroupVersion.WithResource("secrets"),
		Name: "s", Namespace: "shop", Object: secret,
	}
	switch rapid.SampledFrom([]string{"create", "update", "delete"}).Draw(t, "operation") {
	case "update":
		r.Operation, r.OldObject = admissionv1.Update, secret.DeepCopy()
		r.OldObject.(*corev1.Secret).Data["b"] = []byte(secrets[4])
	case "delete":
		r.Operation, r.Object, r.OldObject = admissionv1.Delete, nil, secret
	}
	return r
}

// leaky is a webhook that repeats the data of Secrets.
func leaky(t *rapid.T, secrets []string) webhook {
	one := rapid.SampledFrom(secrets[:4]).Draw(t, "repeated")
	how := rapid.SampledFrom([]string{"deny", "fail", "warn", "patch", "patch all"}).Draw(t, "answer")
	return func(r *admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
		quoted, _ := json.Marshal(one)
		switch how {
		case "deny":
			return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: fmt.Sprintf("%q is bad, %s too", one, one)}}, nil
		case "fail":
			return nil, fmt.Errorf("%q in %s", one, r.Object.Raw)
		case "warn":
			answer := allow("")
			answer.Warnings = []string{"weak: " + one, base64.StdEncoding.EncodeToString([]byte(one))}
			answer.AuditAnnotations = map[string]string{"password": one, one: "x"}
			return answer, nil
		}
		if r.Operation == admissionv1.Delete {
			return allow(""), nil
		}
		patch := fmt.Sprintf(`[{"op":"add","path":"/stringData","value":{"more":"%s"}},{"op":"add","path":"/metadata/annotations/copied","value":%s},`+
			`{"op":"add","path":"/metadata/annotations/%s","value":"key"},{"op":"test","path":"/data/a","value":%q}]`,
			strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(secrets[5]), quoted, strings.NewReplacer("~", "~0", "/", "~1", `"`, `\"`, `\`, `\\`).Replace(one), base64.StdEncoding.EncodeToString([]byte(secrets[0])))
		if how == "patch all" {
			patch = fmt.Sprintf(`[{"op":"add","path":"","value":{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"shop","labels":{"k":%s}},"stringData":{"z":%s}}}]`, quoted, quoted)
		}
		return allow(patch), nil
	}
}

// TestRedactPaths redacts values of other kinds.
func TestRedactPaths(t *testing.T) {
	t.Parallel()
	d := server(t, func(*admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
		answer := allow(`[{"op":"add","path":"/spec/containers/0/env/-","value":{"name":"B","value":"hunter2"}}]`)
		answer.Warnings = []string{"hunter2 is weak"}
		return answer, nil
	})
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", Annotations: map[string]string{
		"note": "hunter2", "other": "the hunter2s",
		lastApplied: `{"kind":"Pod","spec":{"containers":[{"env":[{"name":"A","value":"earlier"}],"image":"docker.io/web"}]}}`,
	}}}
	pod.Spec.ActiveDeadlineSeconds = new(int64(123))
	pod.Spec.HostNetwork = true
	pod.Spec.Containers = []corev1.Container{{
		Name: "web", Image: "docker.io/web", Env: []corev1.EnvVar{{Name: "A", Value: "hunter2"}, {Name: "C", Value: "docker"}},
		Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"memory": resource.MustParse("1Gi")}},
	}}
	response := admit(t, d, podRequest(pod))
	warnings := slices.Clone(response.Warnings)
	e, err := corpus.FromResponse(response, corpus.Options{Source: corpus.FromRun, Redact: paths(t,
		"spec.containers[*].env[*].value", "spec.activeDeadlineSeconds", "spec.hostNetwork", "/spec/containers/0/resources")})
	if err != nil {
		t.Fatal(err)
	}
	got, err := request.FromReview(e.Review, builtIn())
	if err != nil {
		t.Fatal(err)
	}
	want := pod.DeepCopy()
	want.Annotations = map[string]string{"note": "[redacted]", "other": "the hunter2s",
		lastApplied: `{"kind":"Pod","spec":{"containers":[{"env":[{"name":"A","value":"[redacted]"}],"image":"docker.io/web"}]}}`}
	want.Spec.ActiveDeadlineSeconds, want.Spec.HostNetwork = new(int64(1)), true
	c := &want.Spec.Containers[0]
	c.Env[0].Value, c.Env[1].Value = "[redacted]", "[redacted]"
	c.Resources.Limits["memory"] = resource.MustParse("0")
	if diff := cmp.Diff(want, got.Object); diff != "" {
		t.Errorf("the object (-want +got):\n%s", diff)
	}
	wantRedacted := []string{
		"/review/request/object/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration",
		"/review/request/object/metadata/annotations/note",
		"/review/request/object/spec/containers/0/env/0/value", "/review/request/object/spec/containers/0/env/1/value",
		"/review/request/object/spec/containers/0/resources/limits/memory",
		"/review/request/object/spec/activeDeadlineSeconds", "/review/request/object/spec/hostNetwork",
		"/answers/0/response/patch", "/answers/0/response/warnings/0",
	}
	if diff := cmp.Diff(wantRedacted, e.Redacted[:len(wantRedacted)]); diff != "" {
		t.Errorf("redacted (-want +got):\n%s", diff)
	}
	if !slices.Equal(warnings, response.Warnings) || e.Verdict.Warnings[0] != "[redacted] is weak" {
		t.Errorf("the warnings are %q and were %q; the entry has %q", response.Warnings, warnings, e.Verdict.Warnings)
	}
	if again := admit(t, d, got); e.Answers[0].Asked == "" || askedOf(t, again) != e.Answers[0].Asked {
		t.Error("the webhook of a replay does not get what was recorded")
	}
}

func askedOf(t *testing.T, r *admission.Response) string {
	asked, err := corpus.Asked(r.Calls[0].Trace.Request())
	if err != nil {
		t.Fatal(err)
	}
	return asked
}

func paths(t *testing.T, texts ...string) []explain.Path {
	t.Helper()
	all := make([]explain.Path, len(texts))
	for i, text := range texts {
		var err error
		if all[i], err = explain.ParsePath(text); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestTokens: the token of a TokenReview is a credential.
func TestTokens(t *testing.T) {
	t.Parallel()
	review := &authenticationv1.TokenReview{TypeMeta: metav1.TypeMeta{APIVersion: "authentication.k8s.io/v1", Kind: "TokenReview"}}
	review.Spec.Token = "bearer-abc"
	d := server(t, func(*admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) { return allow(""), nil })
	r := admit(t, d, &admission.Request{
		Operation: admissionv1.Create, Kind: review.GroupVersionKind(), Object: review,
		Resource: authenticationv1.SchemeGroupVersion.WithResource("tokenreviews"),
	})
	e, err := corpus.FromResponse(r, corpus.Options{Source: corpus.FromRun})
	if err != nil || strings.Contains(string(e.Review), "bearer") {
		t.Errorf("%v\n%s", err, e.Review)
	}
}

// TestRedactRemovesAsked: a digest of what was redacted would let readers guess
// it.
func TestRedactRemovesAsked(t *testing.T) {
	t.Parallel()
	e := &corpus.Entry{
		Review:  json.RawMessage(`{"request":{"object":{"kind":"Secret","apiVersion":"v1","data":{"a":"aHVudGVyMg=="}}}}`),
		Answers: []corpus.Answer{{Asked: "x", Response: json.RawMessage(`{"patch":"!"}`), Error: "hunter2"}},
		Verdict: &corpus.Verdict{Status: &metav1.Status{Message: "hunter2"}},
	}
	e.Redact()
	e.Redact() // changes nothing
	got, _ := json.Marshal(e)
	const want = `{"apiVersion":"","kind":"","id":"","source":"","review":{"request":{"object":{"kind":"Secret","apiVersion":"v1","data":{"a":"W3JlZGFjdGVkXQ=="}}}},` +
		`"answers":[{"phase":"","configuration":"","webhook":"","outcome":"","response":{"patch":"W3JlZGFjdGVkXQ=="},"error":"[redacted]"}],` +
		`"verdict":{"allowed":false,"status":{"metadata":{},"message":"[redacted]"}},` +
		`"redacted":["/review/request/object/data/a","/answers/0/response/patch","/answers/0/error","/verdict/status/message"]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRedactDeep: redacting takes memory, and so time, that is not quadratic in the depth of
// the object. It is not parallel: it counts the allocations of the process.
func TestRedactDeep(t *testing.T) {
	bytesFor := func(depth int) uint64 {
		object := strings.Repeat("[", depth) + strings.Repeat("0,", 50) + "0" + strings.Repeat("]", depth)
		e := &corpus.Entry{Review: []byte(`{"request":{"object":{"spec":` + object + `,"x":1}}}`)}
		path, err := explain.ParsePath("x")
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e.Redact(path)
		runtime.ReadMemStats(&after)
		if len(e.Redacted) == 0 {
			t.Fatal("nothing is redacted")
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if once, twice := bytesFor(1000), bytesFor(2000); twice > 3*once {
		t.Errorf("%d bytes for a depth of 1,000, %d for 2,000", once, twice)
	}
}
