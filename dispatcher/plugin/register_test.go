package plugin_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/plugin"
)

func TestRegisteredNames(t *testing.T) {
	t.Parallel()
	plugins := apiadmission.NewPlugins()
	plugin.Register(plugins)
	want := []string{"MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"} // S-001
	if diff := cmp.Diff(want, plugins.Registered()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// TestPluginsAreOfOneKind makes sure that a chain counts each plugin once: it
// takes every plugin for what its methods say.
func TestPluginsAreOfOneKind(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		p := (&host{cluster: newCluster()}).prepare(t, name)
		_, mutates := p.(apiadmission.MutationInterface)
		_, validates := p.(apiadmission.ValidationInterface)
		if want := name == plugin.MutatingName; mutates != want || validates == want {
			t.Errorf("%s: mutates %v, validates %v", name, mutates, validates) // S-001
		}
		var handled []apiadmission.Operation
		for _, o := range []apiadmission.Operation{"CONNECT", "CREATE", "DELETE", "UPDATE", "GET", ""} {
			if p.Handles(o) {
				handled = append(handled, o)
			}
		}
		if !slices.Equal(handled, []apiadmission.Operation{"CONNECT", "CREATE", "DELETE", "UPDATE"}) {
			t.Errorf("%s handles %v", name, handled) // S-001
		}
	}
}

// witness is an observer that records one line per record.
type recordingObserver struct {
	mu    sync.Mutex
	lines []string
}

func (w *recordingObserver) RecordMatch(_ context.Context, m *admission.Match) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, "match "+m.Webhook.Name+": "+m.Stage.String())
}

func (w *recordingObserver) RecordCall(_ context.Context, c *admission.Call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, "call "+c.Webhook.Name+": "+c.Outcome.String())
}

func TestWithObserver(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		observer := &recordingObserver{}
		h := host{
			cluster: newCluster(configured(name, "a", backend(t, denies("no")))),
			options: []plugin.Option{plugin.WithObserver(observer)},
		}
		if err := admit(t.Context(), h.open(t, name)); err == nil {
			t.Errorf("%s: the request passed", name)
		}
		want := []string{"match a.example.com: matched", "call a.example.com: rejected"}
		if diff := cmp.Diff(want, observer.lines); diff != "" {
			t.Errorf("%s: lines of the observer (-want +got):\n%s", name, diff)
		}
	}
}

// closeUp is an observer that requests traces.
type closeUp struct {
	recordingObserver
	traced bool
}

func (o *closeUp) RecordCall(_ context.Context, c *admission.Call) { o.traced = c.Trace != nil }

func TestWithTrace(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		for _, options := range [][]plugin.Option{nil, {plugin.WithTrace()}} {
			observer := &closeUp{}
			h := host{
				cluster: newCluster(configured(name, "a", backend(t, allows()))),
				options: append(options, plugin.WithObserver(observer)),
			}
			if err := admit(t.Context(), h.open(t, name)); err != nil {
				t.Error(err)
			}
			if want := len(options) > 0; observer.traced != want {
				t.Errorf("%s: there is a trace: %v, want %v", name, observer.traced, want)
			}
		}
	}
}

// TestReinvocationKey makes sure that upstream's plugin, in the same chain,
// does not find a state under its key that it cannot read: it would panic
// (S-162).
func TestReinvocationKey(t *testing.T) {
	t.Parallel()
	h := host{cluster: newCluster(configured(plugin.MutatingName, "a", backend(t, allows())))}
	attributes := creation()
	if err := admitted(t.Context(), h.open(t, plugin.MutatingName), attributes); err != nil {
		t.Fatal(err)
	}
	if state := attributes.GetReinvocationContext().Value(plugin.MutatingName); state != nil {
		t.Errorf("there is a %T", state)
	}
}
