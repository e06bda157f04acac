package cluster_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/soak/cluster"
)

// TestFollow changes a collection and looks at what an informer delivers. Time
// is virtual: client-go waits before it lists again.
func TestFollow(t *testing.T) {
	t.Parallel()
	type row struct {
		testtable.Row
		change func(*cluster.Collection)
		want   []string
	}
	testtable.Run(t, []row{
		{testtable.Row{"changes", "each is an event"}, func(c *cluster.Collection) {
			c.Put(named("b"))
			c.Put(named("b"))
			c.Delete("b")
		}, []string{"add b", "update b", "delete b"}},
		{testtable.Row{"again", "what was deleted can come back"}, func(c *cluster.Collection) {
			c.Delete("a")
			c.Put(named("a"))
		}, []string{"delete a", "add a"}},
		{testtable.Row{"break", "a watch is resumed where it ended"}, func(c *cluster.Collection) {
			c.Break()
			c.Put(named("b"))
			c.Put(named("b"))
		}, []string{"add b", "update b"}},
		{testtable.Row{"expire", "only the difference between two lists is seen"}, func(c *cluster.Collection) {
			c.Expire()
			c.Put(named("b"))
			c.Put(named("b"))
			c.Delete("a")
		}, []string{"delete a", "add b"}},
		{testtable.Row{"flood", "a watch that cannot keep up is ended, and nothing is lost"}, func(c *cluster.Collection) {
			c.Put(named(slow))
			for range 5000 {
				c.Put(named("b"))
			}
			c.Delete("a")
		}, nil},
	}, func(t *testing.T, r row) {
		synctest.Test(t, func(t *testing.T) {
			c := cluster.Mutating()
			c.Put(named("a"))
			events := follow(t, c)
			time.Sleep(2 * time.Second) // a watch that is shorter is not resumed
			r.change(c)
			time.Sleep(5 * time.Minute)
			got := events.taken()
			if r.want == nil {
				if len(got) >= 5000 || !slices.Contains(got, "delete a") || !slices.Contains(got, "add b") {
					t.Errorf("of %d events the last is %q", len(got), got[len(got)-1])
				}
				return
			}
			if !slices.Equal(got, r.want) {
				t.Errorf("got %q, want %q", got, r.want)
			}
		})
	})
}

// slow is the name of an object over which a client stops reading for a minute.
// The minute is virtual: it does not pass before the change that the row makes
// is complete, so the watch takes none of the events that follow until then.
const slow = "slow"

func named(name string) cluster.Object {
	return &registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// events records the calls of a handler.
type events struct {
	mu   sync.Mutex
	list []string
}

func (e *events) add(kind string, obj any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	name, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
	if err != nil {
		name = err.Error()
	}
	e.list = append(e.list, kind+" "+name)
}

func (e *events) taken() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.list
	e.list = nil
	return list
}

// follow runs an informer until the test ends, and returns what is delivered
// from now on.
func follow(t *testing.T, c *cluster.Collection) *events {
	t.Helper()
	seen := &events{}
	informer := c.Follow(&registrationv1.MutatingWebhookConfiguration{})
	err := informer.SetTransform(func(obj any) (any, error) {
		if obj.(cluster.Object).GetName() == slow {
			time.Sleep(time.Minute)
		}
		return obj, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { seen.add("add", obj) },
		UpdateFunc: func(_, obj any) { seen.add("update", obj) },
		DeleteFunc: func(obj any) { seen.add("delete", obj) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	t.Cleanup(func() { stop(); running.Wait() })
	synctest.Wait()
	seen.taken()
	return seen
}
