package serve_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/clientcmd"

	"example.com/gatehouse/internal/testutil/process"
)

var kills = flag.Int("kills", 4, "how often TestKilled kills the server; make kills takes 200")

const (
	// killedWriters write at the same time.
	killedWriters = 4
	// killedAfter is the latest moment after the start of a server, or after it
	// is ready. A start takes half a second.
	killedAfter = time.Second
)

// TestKilled kills the server with SIGKILL at random moments: while it starts,
// and while clients write. A server that starts in the same folder has every
// object that was acknowledged, in the acknowledged state, and none whose
// deletion was; a write without an answer may have happened or not. Then the
// clients go on.
func TestKilled(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	data, l := t.TempDir(), newLedger()
	started := 0
	for round := range *kills {
		s := process.Start(t, binary, "--quiet", "--data-dir", data)
		ctx, cancel := context.WithCancel(t.Context())
		var clients sync.WaitGroup
		clients.Go(func() { l.use(ctx, s.Kubeconfig, seed+uint64(round)) })
		if round%2 == 1 {
			s.Config(t)
		}
		time.Sleep(time.Duration(random.Int64N(int64(killedAfter)))) // the moment is what is tested, and none is special
		if _, err := os.Stat(s.Kubeconfig); err == nil {
			started++
		}
		s.Signal(t, syscall.SIGKILL)
		if status := s.Wait(t); status != 128+int(syscall.SIGKILL) || s.Printed() != "" {
			t.Fatalf("round %d of seed %d: exit status %d: %s", round, seed, status, s.Printed())
		}
		cancel()
		clients.Wait()
		l.wantNoLosses(t)
	}
	last := process.Start(t, binary, "--quiet", "--data-dir", data)
	last.Config(t)
	if err := l.check(t.Context(), configMapsOf(t, last)); err != nil {
		t.Error(err)
	}
	l.wantNoLosses(t)
	if l.acknowledged == 0 || l.compared == 0 {
		t.Errorf("acknowledged writes %d, objects compared %d", l.acknowledged, l.compared)
	}
	t.Logf("killed %d times, %d of them when ready; checked %d times; acknowledged writes %d, unanswered %d, of these done %d; objects compared %d, lost 0",
		*kills, started, l.checks, l.acknowledged, l.unanswered, l.done, l.compared)
	if status := last.Stop(t); status != 0 {
		t.Errorf("exit status %d: %s", status, last.Printed())
	}
}

func configMapsOf(t *testing.T, s *process.Process) corev1client.ConfigMapInterface {
	t.Helper()
	client, err := kubernetes.NewForConfig(s.Config(t))
	if err != nil {
		t.Fatal(err)
	}
	return client.CoreV1().ConfigMaps(metav1.NamespaceDefault)
}

// use waits until a server is ready, checks what it has, and writes until a
// request fails.
func (l *ledger) use(ctx context.Context, kubeconfig string, seed uint64) {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for {
		if _, err := os.Stat(kubeconfig); err == nil {
			break
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		l.report("the kubeconfig: %v", err)
		return
	}
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		l.report("the client: %v", err)
		return
	}
	objects := client.CoreV1().ConfigMaps(metav1.NamespaceDefault)
	if l.check(ctx, objects) != nil {
		return
	}
	var writers sync.WaitGroup
	for n := range killedWriters {
		writers.Go(func() { l.write(ctx, objects, n, rand.New(rand.NewPCG(seed, uint64(n)))) })
	}
	writers.Wait()
}
