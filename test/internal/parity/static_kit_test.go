package parity

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1alpha1 "k8s.io/api/admissionregistration/v1alpha1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/manifest/loader"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/dispatcher/plugin"
)

// manifestLoaders are upstream's loader with what kube-apiserver puts into it:
// a decoder, defaults and validation. The latter two are gatehouse's, because
// kube-apiserver's are in no module.
func manifestLoaders() *initializer.ManifestLoaders {
	return &initializer.ManifestLoaders{
		LoadMutatingWebhookManifests: func(dir string) ([]*registrationv1.MutatingWebhookConfiguration, string, error) {
			return loader.LoadManifests(dir, manifestDecoder(), func(obj runtime.Object) ([]*registrationv1.MutatingWebhookConfiguration, error) {
				switch c := obj.(type) {
				case *registrationv1.MutatingWebhookConfiguration:
					return accepted("MutatingWebhookConfiguration", c)
				case *registrationv1.MutatingWebhookConfigurationList:
					return accepted("MutatingWebhookConfiguration", pointers(c.Items)...)
				}
				return nil, fmt.Errorf("unsupported resource type %T", obj)
			})
		},
		LoadValidatingWebhookManifests: func(dir string) ([]*registrationv1.ValidatingWebhookConfiguration, string, error) {
			return loader.LoadManifests(dir, manifestDecoder(), func(obj runtime.Object) ([]*registrationv1.ValidatingWebhookConfiguration, error) {
				switch c := obj.(type) {
				case *registrationv1.ValidatingWebhookConfiguration:
					return accepted("ValidatingWebhookConfiguration", c)
				case *registrationv1.ValidatingWebhookConfigurationList:
					return accepted("ValidatingWebhookConfiguration", pointers(c.Items)...)
				}
				return nil, fmt.Errorf("unsupported resource type %T", obj)
			})
		},
	}
}

func manifestDecoder() runtime.Decoder {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{registrationv1.AddToScheme, registrationv1beta1.AddToScheme, registrationv1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	scheme.AddUnversionedTypes(metav1.SchemeGroupVersion, &metav1.List{}, &metav1.Status{})
	return serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
}

func pointers[C any](items []C) []*C {
	found := make([]*C, len(items))
	for i := range items {
		found[i] = &items[i]
	}
	return found
}

func accepted[C registration.Configuration](kind string, found ...C) ([]C, error) {
	for _, c := range found {
		registration.Default(c)
		if wrong := registration.ValidateStatic(c); len(wrong) > 0 {
			return nil, fmt.Errorf("%s %q: %w", kind, c.GetName(), wrong.ToAggregate())
		}
	}
	return found, nil
}

// staticServer responds to reviews as the path prescribes, and records the
// paths.
type staticServer struct {
	*httptest.Server
	// plugin is the only plugin whose webhooks it serves.
	plugin string
	mu     sync.Mutex
	paths  []string
}

func newStaticServer(t *testing.T, plugin string) *staticServer {
	t.Helper()
	s := &staticServer{plugin: plugin}
	s.Server = httptest.NewUnstartedServer(s)
	start(t, s.Server)
	return s
}

// ServeHTTP denies under /deny, adds a label under /label if it may, and allows
// else.
func (s *staticServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.paths = append(s.paths, r.URL.Path)
	s.mu.Unlock()
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	response := &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: !strings.HasPrefix(r.URL.Path, "/deny")}
	if strings.HasPrefix(r.URL.Path, "/label") && s.plugin == plugin.MutatingName {
		response.Patch = fmt.Appendf(nil, `[{"op":"add","path":"/metadata/labels","value":{"by":%q}}]`, strings.TrimPrefix(r.URL.Path, "/"))
		response.PatchType = new(admissionv1.PatchTypeJSONPatch)
	}
	review.Request, review.Response = nil, response
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review) // a client that went away is the test's own doing
}

// visits returns the paths since the last time. Those of validating webhooks,
// which come at once, are sorted.
func (s *staticServer) visits() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	paths := s.paths
	s.paths = nil
	if s.plugin == plugin.ValidatingName {
		slices.Sort(paths)
	}
	return paths
}

// manifest is a static configuration of the plugin's kind with a webhook for
// each path.
func (s *staticServer) manifest(name string, paths ...string) string {
	var text strings.Builder
	kind := strings.TrimSuffix(s.plugin, "AdmissionWebhook") + "WebhookConfiguration"
	fmt.Fprintf(&text, "apiVersion: admissionregistration.k8s.io/v1\nkind: %s\nmetadata: {name: %s.static.k8s.io}\nwebhooks:\n", kind, name)
	for _, path := range paths {
		fmt.Fprintf(&text, `- name: %s.%s.example.com
  clientConfig: {url: "%s/%s", caBundle: %s}
  rules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`, path, name, s.URL, path, base64.StdEncoding.EncodeToString(certificateOf(s.Server)))
	}
	return text.String()
}

// writeManifests writes files into a folder, one after the other, with old
// modification times, so that the source does not wait for the folder to rest.
func writeManifests(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path, old := filepath.Join(dir, name), time.Now().Add(-time.Hour)
		if err := errors.Join(os.WriteFile(path, []byte(content), 0o600), os.Chtimes(path, old, old)); err != nil {
			t.Fatal(err)
		}
	}
}

// annotated are attributes that show their annotations.
type annotated struct {
	apiadmission.Attributes
	mu    sync.Mutex
	added []string
}

func (a *annotated) AddAnnotation(key, value string) error {
	return a.AddAnnotationWithLevel(key, value, auditinternal.LevelMetadata)
}

func (a *annotated) AddAnnotationWithLevel(key, value string, level auditinternal.Level) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.added = append(a.added, key+"="+value)
	return a.Attributes.AddAnnotationWithLevel(key, value, level)
}
