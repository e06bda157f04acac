package serve_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/process"
)

const (
	churnClients = 4
	churnCreates = 1000
	churnPause   = 50 * time.Millisecond
)

// TestChurn creates objects while the configurations of webhooks come, change
// and go. Each answer has to be one that a revision in force between the
// beginning and the end of its request explains; what was created is there,
// what was refused is not; and the server leaves nothing behind when it stops.
func TestChurn(t *testing.T) {
	t.Parallel()
	hooks := process.ServeTLS(t, churnHooks(), "hooks.system.svc")
	s := process.Start(t, binary, "--quiet", "--resolve", "hooks.system.svc:443:"+hooks.Address)
	c := newChurn(t, s.Config(t), hooks)
	ctx, cancel := context.WithCancel(t.Context())
	var changes, clients sync.WaitGroup
	changes.Go(func() { c.changeAll(ctx) })
	for n := range churnClients {
		clients.Go(func() { c.create(t.Context(), n) })
	}
	clients.Wait()
	cancel()
	changes.Wait()
	c.check(t.Context())
	// Each client has been in one call at a time, to one of two hosts.
	eventually(t, "the connections of earlier revisions are closed", func() bool { return hooks.Open() <= 2*churnClients })
	if status := s.Stop(t); status != 0 {
		t.Errorf("exit status %d: %s", status, s.Printed())
	}
	wantNothingLeft(t, s)
	eventually(t, "all connections to the webhooks are closed", func() bool { return hooks.Open() == 0 })
}

// churn is what the test has written, and what has become of it.
type churn struct {
	t                    *testing.T
	objects              corev1client.ConfigMapInterface
	mutating, validating *configuration
	// failures counts the answers from 500 on.
	failures atomic.Int64

	mu sync.Mutex
	// created are the objects, by name, with their uids.
	created map[string]string
	// seen counts what has happened to objects.
	seen map[string]int
}

func newChurn(t *testing.T, config *rest.Config, hooks *process.Webhooks) *churn {
	t.Helper()
	c := &churn{t: t, created: map[string]string{}, seen: map[string]int{}}
	config.QPS = -1 // no limit
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return counted{next, &c.failures} })
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	c.objects = client.CoreV1().ConfigMaps(metav1.NamespaceDefault)
	bundle := base64.StdEncoding.EncodeToString(hooks.CA)
	c.mutating, err = newConfiguration(config, "MutatingWebhookConfiguration", []doing{nothing, labels, labels, labels}, func(path string) map[string]any {
		return map[string]any{"caBundle": bundle, "service": map[string]any{"namespace": "system", "name": "hooks", "path": path}}
	})
	if err != nil {
		t.Fatal(err)
	}
	c.validating, err = newConfiguration(config, "ValidatingWebhookConfiguration", []doing{nothing, denies, fails, denies}, func(path string) map[string]any {
		return map[string]any{"caBundle": bundle, "url": "https://" + hooks.Address + path}
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// counted counts answers from 500 on, before a client may ask again.
type counted struct {
	next     http.RoundTripper
	failures *atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (c counted) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.next.RoundTrip(r)
	if err == nil && response.StatusCode >= http.StatusInternalServerError {
		c.failures.Add(1)
	}
	return response, err
}

// changeAll changes one configuration after the other until ctx ends.
func (c *churn) changeAll(ctx context.Context) {
	ticker := time.NewTicker(churnPause)
	defer ticker.Stop()
	var waits sync.WaitGroup
	defer waits.Wait()
	for n := 0; ctx.Err() == nil; n++ {
		changed := []*configuration{c.mutating, c.validating}[n%2]
		revision, err := changed.change(c.t.Context())
		if err != nil {
			c.t.Errorf("revision %d of the %s: %v", revision, changed.kind, err)
			return
		}
		if version := changed.stored; version != "" {
			waits.Go(func() {
				if err := changed.await(c.t.Context(), revision, version); err != nil {
					c.t.Errorf("revision %d of the %s: %v", revision, changed.kind, err)
				}
			})
		}
		<-ticker.C
	}
}

// create creates the share of one client. A third of it is bad.
func (c *churn) create(ctx context.Context, client int) {
	for n := range churnCreates / churnClients {
		kind := []string{"good", "fine", "bad"}[n%3]
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d-%d", kind, client, n)}}
		mutating, validating := c.mutating.first(), c.validating.first()
		created, err := c.objects.Create(ctx, object, metav1.CreateOptions{})
		if err != nil {
			c.refused(object.Name, validating, err)
			continue
		}
		c.accepted(created, mutating, validating)
	}
}

// note counts what happened to an object, and whether that is possible.
func (c *churn) note(what, name string, possible bool) {
	if !possible {
		c.t.Errorf("%s: %s, and no configuration that was in force explains that", name, what)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[what]++
}

// refused checks the error for an object, given the first revision that it
// could see.
func (c *churn) refused(name string, validating int, err error) {
	_, revision, denied := strings.Cut(err.Error(), denial)
	number, convErr := strconv.Atoi(revision)
	switch {
	case denied && convErr == nil && apierrors.IsForbidden(err):
		c.note("denied", name, strings.HasPrefix(name, "bad") && c.validating.met(validating, denies, number))
	case apierrors.IsInternalError(err) && strings.Contains(err.Error(), `failed calling webhook "churn.example.com"`):
		c.note("failed", name, c.validating.met(validating, fails, anyRevision))
	default:
		c.t.Errorf("%s: %v", name, err)
	}
}

// accepted checks an object that was created, given the first revisions that it
// could see.
func (c *churn) accepted(object *corev1.ConfigMap, mutating, validating int) {
	unguarded := c.validating.met(validating, nothing, anyRevision)
	if strings.HasPrefix(object.Name, "bad") {
		c.note("bad and accepted", object.Name, unguarded)
	} else {
		c.note("good and accepted", object.Name, unguarded || c.validating.met(validating, denies, anyRevision))
	}
	if label, ok := object.Labels["revision"]; ok {
		number, err := strconv.Atoi(label)
		c.note("labelled", object.Name, err == nil && c.mutating.met(mutating, labels, number))
	} else {
		c.note("left as it was", object.Name, c.mutating.met(mutating, nothing, anyRevision))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.created[object.Name] = string(object.UID)
}

// check looks for what is stored, and whether there has been some of
// everything.
func (c *churn) check(ctx context.Context) {
	c.t.Logf("%d and %d revisions; %v", len(c.mutating.revisions), len(c.validating.revisions), c.seen)
	list, err := c.objects.List(ctx, metav1.ListOptions{})
	if err != nil {
		c.t.Fatal(err)
	}
	stored := map[string]string{}
	for _, object := range list.Items {
		stored[object.Name] = string(object.UID)
	}
	if diff := cmp.Diff(c.created, stored); diff != "" {
		c.t.Errorf("what was created and what is stored (-created +stored):\n%s", diff)
	}
	if failures := int(c.failures.Load()); failures != c.seen["failed"] {
		c.t.Errorf("%d answers were failures of the server, and %d because of a webhook", failures, c.seen["failed"])
	}
	want := []string{"bad and accepted", "denied", "failed", "good and accepted", "labelled", "left as it was"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(c.seen))); diff != "" {
		c.t.Errorf("what has happened (-want +got):\n%s", diff)
	}
}

// eventually polls until the condition holds, for states without a watch.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it is not so that %s", what)
		}
	}
}
