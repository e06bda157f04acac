package plugin_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"
)

// sharedLog can be read while others write.
type sharedLog struct {
	mu  sync.Mutex
	log bytes.Buffer
}

func (s *sharedLog) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(p)
}

func (s *sharedLog) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// TestAdviceIsLogged: a configuration that names an excluded resource is logged
// (S-066). The test is not parallel: the line belongs to no request whose
// logger could be used, and klog's logger is global.
func TestAdviceIsLogged(t *testing.T) {
	defer klog.CaptureState().Restore()
	for _, name := range bothPlugins() {
		t.Run(name, func(t *testing.T) {
			log := &sharedLog{}
			klog.SetLogger(textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(log))))
			h := host{
				exclude: true, excluded: []schema.GroupResource{{Resource: "secrets"}},
				cluster: newCluster(configured(name, "a", atService(), func(w *registrationv1.MutatingWebhook) {
					w.Rules[0].APIGroups, w.Rules[0].Resources = []string{""}, []string{"secrets"}
				})),
			}
			if err := admit(t.Context(), h.open(t, name)); err != nil {
				t.Fatal(err)
			}
			const want = `the matching rules will have no effect"`
			for deadline := time.Now().Add(2 * time.Minute); !strings.Contains(log.String(), want); time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("no warning in the log:\n%s", log.String())
				}
			}
		})
	}
}
