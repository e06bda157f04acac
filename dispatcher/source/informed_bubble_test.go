package source

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/matching"
)

// starting is a source in a bubble whose informers have not been started.
type starting struct {
	*Informed
	client  *fake.Clientset
	factory informers.SharedInformerFactory
	halted  chan struct{}
	halting sync.Once
	// publishedCount counts the published snapshots; lastPublished is the last
	// one.
	publishedCount atomic.Int32
	lastPublished  atomic.Pointer[matching.Snapshot]
}

// inBubble runs a test with a source of the configuration "a", revision 1,
// which waits for also if that is given.
func inBubble(t *testing.T, also cache.InformerSynced, test func(t *testing.T, s *starting)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset(revisionOf("a", 1))
		s := &starting{
			client:  client,
			factory: informers.NewSharedInformerFactory(client, 0),
			halted:  make(chan struct{}),
		}
		w := Watched{
			Validating: s.factory.Admissionregistration().V1().ValidatingWebhookConfigurations(),
			Published:  func(snapshot *matching.Snapshot) { s.lastPublished.Store(snapshot); s.publishedCount.Add(1) },
		}
		if also != nil {
			w.Also = []cache.InformerSynced{also}
		}
		var err error
		if s.Informed, err = Informers(w); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.halt)
		t.Cleanup(s.Close)
		test(t, s)
	})
}

// answer has the server fail every list.
func (s *starting) answer(err error) {
	s.client.PrependReactor("list", "*", func(ktesting.Action) (bool, runtime.Object, error) {
		return true, nil, err
	})
}

// serve starts the informers; the end of the test stops them, or halt.
func (s *starting) serve() { s.factory.Start(s.halted) }

func (s *starting) halt() {
	s.halting.Do(func() { close(s.halted) })
	s.factory.Shutdown()
}
