package apiserver

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
)

// putConfigMap creates a configmap in the namespace "a".
func putConfigMap(ctx context.Context, t *testing.T, server *Server, name string) error {
	t.Helper()
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, err := typed(t, server).CoreV1().ConfigMaps("a").Create(ctx, object, metav1.CreateOptions{})
	return err
}

func getConfigMap(t *testing.T, server *Server, name string) error {
	t.Helper()
	_, err := typed(t, server).CoreV1().ConfigMaps("a").Get(t.Context(), name, metav1.GetOptions{})
	return err
}

func TestServersAreApart(t *testing.T) {
	t.Parallel()
	servers := []*Server{start(t, Config{}), start(t, Config{})}
	for i, server := range servers {
		name := string(rune('a' + i))
		if err := putConfigMap(t.Context(), t, server, name); err != nil {
			t.Fatal(err)
		}
		wantReason(t, getConfigMap(t, servers[1-i], name), metav1.StatusReasonNotFound)
		// So that the names differ when it is the other's turn.
		if err := typed(t, server).CoreV1().ConfigMaps("a").Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	anonymous := servers[0].ClientConfig()
	anonymous.BearerToken = servers[1].ClientConfig().BearerToken
	_, err := typedFor(t, anonymous).CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	wantReason(t, err, metav1.StatusReasonUnauthorized)
	stop(t, servers[0])
	if err := putConfigMap(t.Context(), t, servers[1], "later"); err != nil {
		t.Errorf("the end of another server is felt: %v", err)
	}
}

func TestDataOutlivesTheServer(t *testing.T) {
	t.Parallel()
	config := Config{DataDir: t.TempDir()}
	first := start(t, config)
	if err := putConfigMap(t.Context(), t, first, "kept"); err != nil {
		t.Fatal(err)
	}
	stop(t, first)
	if err := getConfigMap(t, start(t, config), "kept"); err != nil {
		t.Error(err)
	}
}

func TestStartRejected(t *testing.T) {
	t.Parallel()
	t.Run("data in use", func(t *testing.T) {
		t.Parallel()
		config := Config{DataDir: t.TempDir()}
		start(t, config)
		rejected(t, t.Context(), config, "is in use by another server")
	})
	t.Run("file in the way", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		rejected(t, t.Context(), Config{DataDir: file}, "creating the data folder")
	})
	t.Run("context has ended", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		rejected(t, ctx, Config{}, context.Canceled.Error())
	})
	t.Run("context ends while starting", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		register := func(plugins *apiadmission.Plugins) {
			lifecycle.Register(plugins)
			cancel()
		}
		rejected(t, ctx, Config{Admission: Admission{Register: register, Order: []string{lifecycle.PluginName}}}, "waiting until it is ready: context canceled")
	})
	t.Run("no plugin configuration", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "missing")
		rejected(t, t.Context(), Config{Admission: Admission{Register: lifecycle.Register, Order: []string{lifecycle.PluginName}, ConfigFile: file}}, file)
	})
	t.Run("plugin fails", func(t *testing.T) {
		t.Parallel()
		register := func(plugins *apiadmission.Plugins) {
			plugins.Register("Broken", func(io.Reader) (apiadmission.Interface, error) { return nil, errors.New("no plugin today") })
		}
		rejected(t, t.Context(), Config{Admission: Admission{Register: register, Order: []string{"Broken"}}}, "no plugin today")
	})
	t.Run("unknown plugin", func(t *testing.T) {
		t.Parallel()
		rejected(t, t.Context(), Config{Admission: Admission{Register: lifecycle.Register, Order: []string{"Nowhere"}}}, "unknown admission plugin: Nowhere")
	})
}

func rejected(t *testing.T, ctx context.Context, config Config, want string) {
	t.Helper()
	server, err := Start(ctx, config)
	if err == nil {
		stop(t, server)
		t.Fatal("it has started")
	}
	if !strings.HasPrefix(err.Error(), "starting the API server: ") || !strings.Contains(err.Error(), want) {
		t.Errorf("got %q, want one that contains %q", err, want)
	}
}

// gate is a plugin that reports requests and blocks them.
type gate struct{ come, open chan struct{} }

func (gate) Handles(apiadmission.Operation) bool { return true }

func (g gate) Validate(_ context.Context, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces) error {
	if a.GetName() == "rejected" {
		return apiadmission.NewForbidden(a, errors.New("not this one"))
	}
	if a.GetName() == "slow" {
		close(g.come)
		<-g.open
	}
	return nil
}

func (g gate) register(plugins *apiadmission.Plugins) {
	lifecycle.Register(plugins)
	plugins.Register("Gate", func(io.Reader) (apiadmission.Interface, error) { return g, nil })
}

func gated(t *testing.T) (gate, *Server) {
	t.Helper()
	g := gate{make(chan struct{}), make(chan struct{})}
	return g, start(t, Config{Admission: Admission{Register: g.register, Order: []string{lifecycle.PluginName, "Gate"}}})
}

func createNamespace(t *testing.T, server *Server) {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	must[*corev1.Namespace](t)(typed(t, server).CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}))
}

// TestAdmission has a chain of a plugin that watches the server, and one that
// rejects.
func TestAdmission(t *testing.T) {
	t.Parallel()
	_, server := gated(t)
	wantReason(t, putConfigMap(t.Context(), t, server, "rejected"), metav1.StatusReasonNotFound)
	createNamespace(t, server)
	wantReason(t, putConfigMap(t.Context(), t, server, "rejected"), metav1.StatusReasonForbidden)
	if err := putConfigMap(t.Context(), t, server, "welcome"); err != nil {
		t.Error(err)
	}
}

// TestStop ends a server while a request and a watch are on it.
func TestStop(t *testing.T) {
	t.Parallel()
	g, server := gated(t)
	createNamespace(t, server)
	events := must[watch.Interface](t)(typed(t, server).CoreV1().ConfigMaps("a").Watch(t.Context(), metav1.ListOptions{}))
	answer, stopped := make(chan error), make(chan error)
	go func() { answer <- putConfigMap(t.Context(), t, server, "slow") }()
	<-g.come
	go func() { stopped <- server.Stop() }()
	for range events.ResultChan() {
		t.Error("something has happened")
	}
	select {
	case err := <-stopped:
		t.Fatalf("Stop did not wait for the request: %v", err)
	case err := <-answer:
		t.Fatalf("the request was cut off: %v", err)
	default:
	}
	close(g.open)
	if err := <-answer; err != nil {
		t.Errorf("the request failed: %v", err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if err := server.Stop(); err != nil {
		t.Errorf("the second time: %v", err)
	}
}
