package source

import (
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"example.com/gatehouse/matching"
)

// withPublished runs a test in a bubble with a source that follows a fake API
// server and passes every published snapshot to see.
func withPublished(t *testing.T, see func(*matching.Snapshot), test func(t *testing.T, s *Informed, client *fake.Clientset)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset()
		factory := informers.NewSharedInformerFactory(client, 0)
		s, err := Informers(Watched{
			Validating: factory.Admissionregistration().V1().ValidatingWebhookConfigurations(),
			Published:  see,
		})
		if err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		factory.Start(stop)
		// No sooner, or the fake watch may miss what is created meanwhile.
		factory.WaitForCacheSync(stop)
		synctest.Wait()
		test(t, s, client)
		s.Close()
		close(stop)
		factory.Shutdown()
	})
}

// create adds a configuration to the server and waits until it has arrived.
func create(t *testing.T, client *fake.Clientset, name string) {
	t.Helper()
	_, err := client.AdmissionregistrationV1().ValidatingWebhookConfigurations().
		Create(t.Context(), revisionOf(name, 1), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	synctest.Wait()
}

// TestPublished requires Published to receive every new snapshot without a
// request, and after requests can see it.
func TestPublished(t *testing.T) {
	t.Parallel()
	var seen []*matching.Snapshot
	withPublished(t, func(snapshot *matching.Snapshot) { seen = append(seen, snapshot) },
		func(t *testing.T, s *Informed, client *fake.Clientset) {
			for i, name := range []string{"a", "b"} {
				create(t, client, name)
				current, err := s.Current(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if len(seen) == 0 || seen[len(seen)-1] != current {
					t.Fatalf("after change %d: the last of %d snapshots is not the current one", i+1, len(seen))
				}
			}
			if len(seen) != 3 {
				t.Errorf("published %d snapshots, want 3: the empty one and two changes", len(seen))
			}
		})
}

// TestPublishedOnce requires no new snapshot for a change that changes no
// webhook.
func TestPublishedOnce(t *testing.T) {
	t.Parallel()
	calls := 0
	withPublished(t, func(*matching.Snapshot) { calls++ }, func(t *testing.T, _ *Informed, client *fake.Clientset) {
		create(t, client, "a")
		noted := revisionOf("a", 1)
		noted.Annotations = map[string]string{"note": "of no consequence"}
		if _, err := client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Update(t.Context(), noted, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if calls != 2 {
			t.Errorf("published %d times, want twice: the empty snapshot and the webhook", calls)
		}
	})
}

// TestPublishedWhenEmpty requires a snapshot without webhooks to be published,
// once.
func TestPublishedWhenEmpty(t *testing.T) {
	t.Parallel()
	var seen []*matching.Snapshot
	withPublished(t, func(snapshot *matching.Snapshot) { seen = append(seen, snapshot) },
		func(t *testing.T, s *Informed, _ *fake.Clientset) {
			for range 2 {
				if len(seen) != 1 || seen[0] != current(t, s) {
					t.Errorf("published %d snapshots, want the current one", len(seen))
				}
				time.Sleep(time.Minute)
				synctest.Wait()
			}
		})
}

// TestPublishedPanics requires the source to go on after a panic and to publish
// the next snapshot.
func TestPublishedPanics(t *testing.T) {
	t.Parallel()
	calls := 0
	withPublished(t, func(*matching.Snapshot) { calls++; panic("not our fault") },
		func(t *testing.T, s *Informed, client *fake.Clientset) {
			create(t, client, "a")
			create(t, client, "b")
			if calls != 3 {
				t.Errorf("published %d times, want 3", calls)
			}
			if current, err := s.Current(t.Context()); err != nil || revisionIn(t, current, "b") != 1 {
				t.Errorf("the source stopped following (error %v)", err)
			}
		})
}

// TestNotPublishedAfterClose requires that changes after Close are not
// published.
func TestNotPublishedAfterClose(t *testing.T) {
	t.Parallel()
	calls := 0
	withPublished(t, func(*matching.Snapshot) { calls++ },
		func(t *testing.T, s *Informed, client *fake.Clientset) {
			create(t, client, "a")
			s.Close()
			create(t, client, "b")
			if calls != 2 {
				t.Errorf("published %d times, want twice", calls)
			}
		})
}

// TestCloseWaitsForPublished requires Close to wait for Published, and requests
// not to.
func TestCloseWaitsForPublished(t *testing.T) {
	t.Parallel()
	const effort = time.Minute
	done := false
	inBubble(t, nil, func(t *testing.T, s *starting) {
		s.published = func(*matching.Snapshot) {
			time.Sleep(effort)
			done = true
		}
		start := time.Now()
		s.serve()
		current(t, s)
		if waited := time.Since(start); waited != 0 {
			t.Errorf("a request waited for %v", waited)
		}
		s.Close()
		if waited := time.Since(start); !done || waited != effort {
			t.Errorf("closed after %v, and Published has returned: %t", waited, done)
		}
	})
}
