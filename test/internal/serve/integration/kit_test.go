package integration_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// server is a running command, and a client of it.
type server struct {
	*process.Process
	*kubernetes.Clientset
	config *rest.Config
}

// start returns when the command is ready.
func start(t *testing.T, args ...string) *server {
	t.Helper()
	p := process.Start(t, binary, append([]string{"--quiet"}, args...)...)
	config := p.Config(t)
	config.QPS = -1
	return &server{p, clientFor(t, config), config}
}

func clientFor(t *testing.T, config *rest.Config) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// TestShared runs the scenarios that do not mind each other on one server.
func TestShared(t *testing.T) {
	t.Parallel()
	s := start(t, "-f", "testdata/pandas.yaml")
	for name, test := range map[string]func(*testing.T, *server){
		"I-M conditions":               testConditions,
		"I-M10 written conditions":     testWrittenConditions,
		"I-T timeouts":                 testTimeouts,
		"I-X reviews":                  testReviews,
		"I-L1 connections of services": testServiceConnections,
		"I-L2 connections of URLs":     testURLConnections,
		"I-O duplicate owners":         testDuplicateOwners,
		"I-F broken managed fields":    testBrokenManagedFields,
		"I-G versions":                 testVersions,
		"I-P addresses":                testAddresses,
		"I-S1 reserved names":          testReservedNames,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, s)
		})
	}
}

// namespace creates one.
func (s *server) namespace(t *testing.T, name string) string {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := s.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return name
}

// pod returns one with a container.
func pod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "image"}}},
	}
}

// createPods creates pods one after the other.
func (s *server) createPods(t *testing.T, namespace string, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := s.CoreV1().Pods(namespace).Create(t.Context(), pod(name), metav1.CreateOptions{}); err != nil {
			t.Error(err)
		}
	}
}

// dryRun are options of a creation that stores nothing.
func dryRun() metav1.CreateOptions { return metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}} }

// eventually polls until the result is true, for states without a watch.
func eventually(t *testing.T, what string, ask func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, 2*time.Minute, true, func(context.Context) (bool, error) {
		return ask(), nil
	})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// wantText fails the test unless the error contains the text; an empty text
// means no error.
func wantText(t *testing.T, err error, want string) {
	t.Helper()
	if got := testtable.Text(err); (err != nil) != (want != "") || !strings.Contains(got, want) {
		t.Errorf("got error %q, want %q in it", got, want)
	}
}

// list is a list of texts that goroutines add to.
type list struct {
	mu    sync.Mutex
	texts []string
}

func (l *list) add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.texts = append(l.texts, text)
}

// take returns what was added since the last take.
func (l *list) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := l.texts
	l.texts = nil
	return taken
}

// sorted is take, in order.
func (l *list) sorted() []string {
	texts := l.take()
	slices.Sort(texts)
	return texts
}

// HandleWarningHeader implements rest.WarningHandler.
func (l *list) HandleWarningHeader(_ int, _, text string) { l.add(text) }
