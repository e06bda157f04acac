// These are the tests of package test/apiserver. They are here because every
// package of tests that links an API server takes its time to link.
package apiserver_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"

	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/shop"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/apiserver"
)

type row = testtable.Row

// TestProject does what a project with its own kind and webhooks does in
// its tests: the very next request after Install meets both.
func TestProject(t *testing.T) {
	t.Parallel()
	config := apiserver.Start(t, apiserver.Options{Handlers: map[string]http.Handler{"system/webhook-service": shop.Webhooks()}})
	apiserver.Install(t, config, shop.Folder())
	created, err := shop.Orders(t, config).Create(t.Context(), shop.Order("one", 3), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, _, _ := unstructured.NestedString(created.Object, "spec", "priority"); got != "low" {
		t.Errorf("the order has priority %q, want the webhook's", got)
	}
	_, err = shop.Orders(t, config).Create(t.Context(), shop.Order("none", 0), metav1.CreateOptions{})
	const want = `admission webhook "vorder-v1.kb.io" denied the request: nothing is ordered`
	if got := testtable.Text(err); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// guard is a configuration whose only webhook is a handler's at a path.
const guard = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  clientConfig: {service: {namespace: system, name: guard, path: /%d}}
  rules: [{apiGroups: [""], apiVersions: [v1], resources: [namespaces], operations: [CREATE]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`

// TestInstallIsInForce changes a configuration again and again: each request
// has to meet what was installed last. Two servers do so at the same time, and
// hear of their own webhooks only.
func TestInstallIsInForce(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			says := func(w http.ResponseWriter, r *http.Request) { shop.Deny(name+r.URL.Path).ServeHTTP(w, r) }
			config := apiserver.Start(t, apiserver.Options{Handlers: map[string]http.Handler{"system/guard:443": http.HandlerFunc(says)}})
			client, err := kubernetes.NewForConfig(config)
			if err != nil {
				t.Fatal(err)
			}
			for n := range 30 {
				apiserver.Install(t, config, write(t, fmt.Sprintf(guard, n)))
				_, err := client.CoreV1().Namespaces().Create(t.Context(), namespace("new"), metav1.CreateOptions{})
				want := fmt.Sprintf(`admission webhook "guard.example.com" denied the request: %s/%d`, name, n)
				if got := testtable.Text(err); got != want {
					t.Fatalf("got %q, want %q", got, want)
				}
			}
		})
	}
}

// boats is a definition whose versions a handler converts.
const boats = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.harbor.example.com}
spec:
  group: harbor.example.com
  scope: Cluster
  names: {kind: Boat, plural: boats}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {caBundle: %s, service: {namespace: system, name: guard}}}
`

// TestInstallPlaceholder: the caBundle Cg== is a placeholder. A handler needs
// none, so that what stands there is installed as none. Whatever else is no
// bundle is a mistake, which an API server finds at the first call, or before
// it serves a kind.
func TestInstallPlaceholder(t *testing.T) {
	t.Parallel()
	config := apiserver.Start(t, apiserver.Options{Handlers: map[string]http.Handler{"system/guard": shop.Deny("called")}})
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct{ bundle, called, rejected string }{
		{"CQ==", "failed calling webhook", "it is not established: The conversion webhook CABundle is invalid"},
		{"Cg==", `admission webhook "guard.example.com" denied the request: called`, ""},
	} {
		apiserver.Install(t, config, write(t, strings.Replace(fmt.Sprintf(guard, 0), "clientConfig: {", "clientConfig: {caBundle: "+r.bundle+", ", 1)))
		_, err := client.CoreV1().Namespaces().Create(t.Context(), namespace("new"), metav1.CreateOptions{})
		if got := testtable.Text(err); !strings.Contains(got, r.called) {
			t.Errorf("%s: got %q, want one that contains %q", r.bundle, got, r.called)
		}
		definition := write(t, fmt.Sprintf(boats, r.bundle))
		said := ended(t, func(tb testing.TB) { apiserver.Install(tb, config, definition) })
		if !strings.Contains(said, r.rejected) || r.rejected == "" && said != "" {
			t.Errorf("%s: the definition ended with %q, want one that contains %q", r.bundle, said, r.rejected)
		}
	}
}

// write puts text into a file.
func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// rejected is a test that is expected to end; it records the message.
type rejected struct {
	testing.TB
	said string
}

// Fatal implements testing.TB.
func (r *rejected) Fatal(args ...any) {
	r.said = fmt.Sprint(args...)
	runtime.Goexit()
}

// Fatalf implements testing.TB.
func (r *rejected) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }

// ended returns with which words f ends a test.
func ended(t *testing.T, f func(testing.TB)) string {
	r := &rejected{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r.said
}

func TestStartRejects(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		options apiserver.Options
		want    string
	}
	handled := func(name string) apiserver.Options {
		return apiserver.Options{Handlers: map[string]http.Handler{name: http.NotFoundHandler()}}
	}
	const form = ": want NAMESPACE/NAME or NAMESPACE/NAME:PORT"
	testtable.Run(t, []test{
		{row{"no namespace", "a service has one"}, handled("webhook-service"), `the handler of "webhook-service"` + form},
		{row{"host", "it is a reference, not an address"}, handled("a.b.svc"), `the handler of "a.b.svc"` + form},
		{row{"path", "the handler sees all paths"}, handled("a/b/c"), `the handler of "a/b/c"` + form},
		{row{"port", "services have numbers there"}, handled("a/b:https"), `the handler of "a/b:https"` + form},
		{row{"port 0", "that would be any port"}, handled("a/b:0"), `the handler of "a/b:0"` + form},
		{row{"route", "the same form as --resolve"}, apiserver.Options{Resolve: []string{"a"}}, `the route "a": want HOST:PORT`},
		{row{"data", "a file is in the way"}, apiserver.Options{DataDir: "testing_test.go"}, "starting etcd: creating the data folder"},
		{row{"audit", "a policy alone logs nothing"}, apiserver.Options{AuditPolicyFile: "x"}, "an audit log needs a policy file and a log file"},
	}, func(t *testing.T, r test) {
		if got := ended(t, func(tb testing.TB) { apiserver.Start(tb, r.options) }); !strings.Contains(got, r.want) {
			t.Errorf("got %q, want one that contains %q", got, r.want)
		}
	})
}

func namespace(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

func TestInstallRejects(t *testing.T) {
	t.Parallel()
	config := apiserver.Start(t, apiserver.Options{})
	type test struct {
		row
		text, want string
	}
	testtable.Run(t, []test{
		{row{"broken", "no line is read as something else"}, "a: [", "document 1 (line 1): invalid YAML"},
		{row{"unknown kind", "a missing object would go unnoticed"}, "{apiVersion: v2, kind: Foo, metadata: {name: a}}", "the server does not serve v2 Foo (1 object in "},
		{row{"unknown field", "a typo must not be ignored"}, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, dta: {}}", `.dta: field not declared in schema`},
		{row{"not valid", "the server's own words"}, "{apiVersion: v1, kind: ConfigMap, metadata: {name: A}}", `ConfigMap "A" is invalid: metadata.name`},
		{row{"second document", "the position names the document"}, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: nowhere}}", `document 2 (line 3): namespaces "nowhere" not found`},
	}, func(t *testing.T, r test) {
		file := write(t, r.text)
		if got := ended(t, func(tb testing.TB) { apiserver.Install(tb, config, file) }); !strings.Contains(got, r.want) {
			t.Errorf("got %q, want one that contains %q", got, r.want)
		}
	})
}

// TestWebhookSeesServiceAccount: in the review, the user is the service account
// whose token the client has.
func TestWebhookSeesServiceAccount(t *testing.T) {
	t.Parallel()
	denies := reviewtest.Answer(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		user := r.UserInfo
		message := fmt.Sprint(user.Username, " ", user.UID, " ", user.Groups, " ", len(user.Extra["authentication.kubernetes.io/credential-id"]))
		return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: message}}
	})
	config := apiserver.Start(t, apiserver.Options{
		Handlers:               map[string]http.Handler{"system/guard": denies},
		DefaultServiceAccounts: true,
	})
	apiserver.Install(t, config, write(t, fmt.Sprintf(guard, 0)))
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	issued, err := client.CoreV1().ServiceAccounts("default").CreateToken(t.Context(), "default", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config.BearerToken = issued.Status.Token
	if client, err = kubernetes.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	_, err = client.CoreV1().Namespaces().Create(t.Context(), namespace("new"), metav1.CreateOptions{})
	want := `admission webhook "guard.example.com" denied the request: system:serviceaccount:default:default ` + string(issued.UID) +
		" [system:serviceaccounts system:serviceaccounts:default system:authenticated] 1"
	if got := testtable.Text(err); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
