package security_test

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/transport"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"

	"example.com/gatehouse/internal/testutil/testtable"
)

// shared can be read while others write.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// take returns what has been written since the last time.
func (s *shared) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.text.Reset()
	return s.text.String()
}

// mode is how much is logged, and how.
type mode struct {
	row
	flags map[string]string
	exact bool
}

var modes = []mode{
	{row{"verbose", "the log has all that there is"}, map[string]string{"v": "10"}, false},
	{row{"module", "one file of client-go's is as verbose, and all others are not"}, map[string]string{"v": "0", "vmodule": "round_trippers=10"}, false},
	{row{"exact", "redirects are http.Client's to follow"}, map[string]string{"v": "10"}, true},
}

// listen has klog and the standard logger say all that they can, until the end
// of the test.
func (m mode) listen(t *testing.T) *shared {
	t.Helper()
	all := &shared{}
	state := klog.CaptureState()
	t.Cleanup(state.Restore)
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	settings := map[string]string{"logtostderr": "false", "alsologtostderr": "false", "stderrthreshold": "FATAL"}
	maps.Copy(settings, m.flags)
	for name, value := range settings {
		if err := flags.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	klog.SetOutput(all)
	before := log.Writer()
	log.SetOutput(all)
	t.Cleanup(func() { log.SetOutput(before) })
	return all
}

// told discards warnings, which are for the client.
type told struct{}

func (told) AddWarning(string, string) {}

// leaks is a server with both plugins, whose webhooks have faults.
type leaks struct {
	log        *shared
	spans      *tracetest.SpanRecorder
	mutating   apiadmission.MutationInterface
	validating apiadmission.ValidationInterface
	// seen counts the kinds of lines that are expected in the log.
	seen string
}

// TestSecrets has every fault look at secrets, under both policies, and reads
// what is written about it. It does not run in parallel with others, because
// klog is global.
func TestSecrets(t *testing.T) {
	for _, m := range testtable.Checked(t, modes) {
		t.Run(m.Name(), func(t *testing.T) { newLeaks(t, m).all(t) })
	}
}

func (l *leaks) all(t *testing.T) {
	l.control(t)
	for _, f := range testtable.Checked(t, faults()) {
		t.Run(f.Name(), func(t *testing.T) {
			for kind, object := range objects() {
				for _, policy := range policies {
					l.send(t, f, kind+"/"+string(policy), labelled(object.DeepCopyObject(), f.Name(), policy))
				}
			}
		})
	}
	l.gather(t)
	for _, expected := range []string{"failing closed", "failing open", "Rejected by webhook", "could not be used", "audit annotation", "match conditions"} {
		if !strings.Contains(l.seen, expected) {
			t.Errorf("the log says nothing of %q: it is not what it should be", expected)
		}
	}
}

// control sends a request with client-go's logging, which shows that the log
// would have what it must not.
func (l *leaks) control(t *testing.T) {
	t.Helper()
	answers := transport.NewDebuggingRoundTripper(roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{Status: "200 " + ofAnswer, Header: http.Header{"Location": {ofAnswer}}, Body: http.NoBody}, nil
	}), transport.DebugByContext)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://hook.example", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := answers.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if logged := l.log.take(); strings.Count(logged, ofAnswer) < 2 {
		t.Errorf("the log does not have what client-go writes: %s", logged)
	}
}

// roundTrip is a round tripper as a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// send takes an object through both plugins.
func (l *leaks) send(t *testing.T, f fault, what string, object runtime.Object) {
	t.Helper()
	old := object.DeepCopyObject()
	kind := object.GetObjectKind().GroupVersionKind()
	resource := schema.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: strings.ToLower(kind.Kind) + "s"}
	attributes := func() apiadmission.Attributes {
		return apiadmission.NewAttributesRecord(object.DeepCopyObject(), old, kind, "shop", "web", resource, "",
			apiadmission.Update, &metav1.UpdateOptions{FieldManager: "kim"}, false, &user.DefaultInfo{Name: "kim"})
	}
	tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(l.spans)).Tracer("test")
	ctx, span := tracer.Start(warning.WithWarningRecorder(t.Context(), told{}), "request")
	mutated := l.mutating.Admit(ctx, attributes(), anyKind{apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)})
	validated := l.validating.Validate(ctx, attributes(), anyKind{apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)})
	span.End()
	logged := l.log.take()
	l.seen += logged
	for _, secret := range []string{ofObject, ofPatch, ofAudit, ofToken} {
		if f.quoted && secret == ofObject {
			continue
		}
		for where, text := range map[string]string{"the mutating plugin's error": testtable.Text(mutated), "the validating plugin's error": testtable.Text(validated)} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: %s has %s: %s", what, where, secret, text)
			}
		}
	}
	for _, secret := range []string{ofObject, ofPatch, ofAudit, ofToken, ofAnswer} {
		for line := range strings.Lines(logged) {
			// Schemes are in lower case.
			if strings.Contains(strings.ToLower(line), strings.ToLower(secret)) {
				t.Errorf("%s: the log has %s: %s", what, secret, line)
			}
		}
	}
	l.look(t, what)
}

// look reads the spans.
func (l *leaks) look(t *testing.T, what string) {
	t.Helper()
	for _, span := range l.spans.Ended() {
		if text := fmt.Sprint(span.Name(), span.Attributes(), span.Events(), span.Status()); strings.Contains(text, "SENTINEL") {
			t.Errorf("%s: a span has %s", what, text)
		}
	}
	l.spans.Reset()
}

// gather reads the metrics.
func (l *leaks) gather(t *testing.T) {
	t.Helper()
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, family := range families {
		text := family.String()
		found = found || strings.Contains(text, "fail.denies.example.com")
		if strings.Contains(text, "SENTINEL") {
			t.Errorf("a metric has %s", text)
		}
	}
	if !found {
		t.Error("no metric is about the webhooks: they are not what they should be")
	}
}

// objects are Secrets, and objects that contain secret values.
func objects() map[string]runtime.Object {
	meta := metav1.ObjectMeta{Name: "web", Namespace: "shop", Annotations: map[string]string{"secret": ofObject}}
	return map[string]runtime.Object{
		"secret": &corev1.Secret{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}, ObjectMeta: meta,
			Data: map[string][]byte{"a": []byte(ofObject)}, StringData: map[string]string{"b": ofObject},
		},
		"pod": &corev1.Pod{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: meta,
			Spec: corev1.PodSpec{Containers: []corev1.Container{{Env: []corev1.EnvVar{{Name: "PASSWORD", Value: ofObject}}}}},
		},
		"custom": &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "shop.example.com/v1", "kind": "Order", "spec": map[string]any{"card": ofObject},
			"metadata": map[string]any{"name": "web", "namespace": "shop", "annotations": map[string]any{"secret": ofObject}},
		}},
	}
}

// labelled makes exactly one webhook match an object.
func labelled(object runtime.Object, fault string, policy registrationv1.FailurePolicyType) runtime.Object {
	accessor := object.(metav1.Object)
	accessor.SetLabels(map[string]string{"fault": path(fault), "policy": string(policy), "secret": ofObject})
	return object
}

// path is a name that is a label and a path.
func path(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }
