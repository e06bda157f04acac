package dispatcher_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

// TestReinvocation plays the files in testdata/reinvocation: a chain of
// admission, a pod on its way through it, a line "----", and what happened.
//
//	# for the reader
//	case 4                                       names the configuration
//	webhook addlabel policy=IfNeeded selector=a=true
//	pod class=low-priority x=true                what is created, with labels
//
// Before the webhooks stands an in-tree plugin that turns the priority class
// into a priority. The webhooks are in scripted_webhook_test.go.
func TestReinvocation(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/reinvocation/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			commands, _, _ := strings.Cut(string(content), "----\n")
			got := commands + "----\n" + parseTranscript(t, commands).perform(t)
			matchFile(t, got, "reinvocation", filepath.Base(file))
		})
	}
}

// transcript is a chain, a pod, and the log of what happened.
type transcript struct {
	testRequest testRequest
	pod         *corev1.Pod
	log         *strings.Builder
}

func parseTranscript(t *testing.T, commands string) *transcript {
	t.Helper()
	p := &transcript{testRequest: testRequest{backends: backends{}}, pod: pod(), log: &strings.Builder{}}
	configuration := ""
	for line := range strings.Lines(commands) {
		switch words := strings.Fields(line); words[0] {
		case "#":
		case "case":
			configuration = "admission.integration.test-" + words[1]
		case "webhook":
			p.addWebhook(t, configuration, words[1], words[2:])
		case "pod":
			p.setPod(words[1:])
		default:
			t.Fatalf("unknown command %q", line)
		}
	}
	return p
}

func (p *transcript) addWebhook(t *testing.T, configuration, script string, options []string) {
	t.Helper()
	name := fmt.Sprintf("admission.integration.test.%d.%s", len(p.testRequest.webhooks), script)
	w := hook(admission.Mutating, name, func(w *admission.Webhook) {
		w.Configuration = configuration
		w.UID = fmt.Sprintf("%s/%s/0", configuration, name)
		w.AdmissionReviewVersions = []string{"v1beta1"}
	})
	for _, option := range options {
		key, value, _ := strings.Cut(option, "=")
		switch key {
		case "policy":
			w.ReinvocationPolicy = new(registrationv1.ReinvocationPolicyType(value))
		case "selector":
			label, wanted, _ := strings.Cut(value, "=")
			w.ObjectSelector = &metav1.LabelSelector{MatchLabels: map[string]string{label: wanted}}
		default:
			t.Fatalf("unknown option %q", option)
		}
	}
	if script == "broken" {
		ignoring(w)
	}
	p.testRequest.webhooks = append(p.testRequest.webhooks, w)
	p.testRequest.backends[name] = p.scriptedWebhook(t, script)
}

func (p *transcript) setPod(options []string) {
	for _, option := range options {
		key, value, _ := strings.Cut(option, "=")
		if key == "class" {
			p.pod.Spec.PriorityClassName = value
		} else {
			metav1.SetMetaDataLabel(&p.pod.ObjectMeta, key, value)
		}
	}
}

// perform sends the pod through the chain and returns what happened.
func (p *transcript) perform(t *testing.T) string {
	t.Helper()
	p.testRequest.request.object = p.pod
	p.testRequest.config = func(c *dispatcher.Config) { c.Metrics = p }
	r := newResult()
	attributes := p.testRequest.attributes(r.recorder)
	chain := newChain(t, priorities{p}, p.testRequest.dispatcher(t, r).Mutating())
	err := chain.Admit(t.Context(), attributes, p.testRequest.interfaces())
	if err != nil {
		fmt.Fprintf(p.log, "error: %v\n", err)
	}
	fmt.Fprintf(p.log, "pod: %s\n", podState(p.pod))
	for _, a := range r.annotations {
		fmt.Fprintf(p.log, "annotation: %s = %s\n", a.Key, a.Value)
	}
	return p.log.String()
}

func (p *transcript) RecordMatch(context.Context, *admission.Match) {}

// RecordCall logs a call.
func (p *transcript) RecordCall(_ context.Context, c *admission.Call) {
	fmt.Fprintf(p.log, "round %d, index %d, %s: %s, changed %v\n", c.Round, c.Index, c.Webhook.Name, c.Outcome, c.Changed)
	if c.Patch != nil {
		fmt.Fprintf(p.log, "  patch %s\n", c.Patch)
	}
}

// podState describes the fields of a pod that the tests use.
func podState(p *corev1.Pod) string {
	priority := "none"
	if p.Spec.Priority != nil {
		priority = fmt.Sprint(*p.Spec.Priority)
	}
	return fmt.Sprintf("labels %v, class %q, priority %s", p.Labels, p.Spec.PriorityClassName, priority)
}

// newChain returns the plugins in an API server's chain, which runs twice if a
// plugin requests reinvocation.
func newChain(t *testing.T, plugins ...apiadmission.Interface) apiadmission.MutationInterface {
	t.Helper()
	registry := apiadmission.NewPlugins()
	var names []string
	for i, plugin := range plugins {
		name := fmt.Sprintf("plugin%d", i)
		names = append(names, name)
		registry.Register(name, func(io.Reader) (apiadmission.Interface, error) { return plugin, nil })
	}
	chain, err := registry.NewFromPlugins(names, unconfigured{}, apiadmission.PluginInitializers{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return chain.(apiadmission.MutationInterface)
}

// unconfigured gives no plugin a configuration.
type unconfigured struct{}

func (unconfigured) ConfigFor(string) (io.Reader, error) { return nil, nil }

// priorities is the in-tree plugin.
type priorities struct{ *transcript }

func (priorities) Handles(apiadmission.Operation) bool { return true }

// Admit sets the priority of the pod's class in place.
func (p priorities) Admit(_ context.Context, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces) error {
	pod := a.GetObject().(*corev1.Pod)
	class := pod.Spec.PriorityClassName
	known := map[string]int32{"": 0, "low-priority": 1, "high-priority": 10}
	priority, ok := known[class]
	if !ok {
		return apiadmission.NewForbidden(a, fmt.Errorf("no PriorityClass with name %v was found", class))
	}
	before := pod.Spec.Priority
	pod.Spec.Priority = &priority
	fmt.Fprintf(p.log, "in-tree plugin: priority %d, changed %v\n", priority, before == nil || *before != priority)
	return nil
}
