package webhooktest

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/reviewtest"
)

// thousand are cases as authors write them: half of them create Pods of a Go
// type, half ConfigMaps in YAML; all visit two webhooks, of which the first
// changes them.
func thousand() []Case {
	cases := make([]Case, 0, 1000)
	for i := range cap(cases) {
		name := fmt.Sprintf("n%d", i)
		c := Case{
			Name:    name,
			Request: Create(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\ndata:\n  sky: blue\n", name)).In("shop").As("ann"),
			Want:    Allowed().Called("label.example.com", "policy.example.com").Object("metadata: {labels: {by: ann}}"),
		}
		if i%2 == 0 {
			c.Request = Create(&corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: name},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
			}).In("shop").As("ann")
		}
		cases = append(cases, c)
	}
	return cases
}

// BenchmarkThousand runs a suite of a thousand cases in each iteration, from
// the table to the verdict, as many at a time as there are processors. What the
// webhooks take is in it.
func BenchmarkThousand(b *testing.B) {
	ways := map[string]func(b *testing.B) []Option{
		"in-process": func(*testing.B) []Option {
			return []Option{Handler(answer(label), "label.example.com"), Handler(answer(reviewtest.Allow), "policy.example.com")}
		},
		"TLS": func(b *testing.B) []Option {
			return []Option{ServedBy(Serve(b, answer(label)), "label.example.com"), ServedBy(Serve(b, answer(reviewtest.Allow)), "policy.example.com")}
		},
	}
	for name, way := range ways {
		b.Run(name, func(b *testing.B) {
			s := New(b, append(way(b), Objects(labeler, policy), wanted())...)
			b.ReportAllocs()
			for b.Loop() {
				runAll(b, s, thousand())
			}
			each := b.Elapsed() / time.Duration(b.N)
			b.ReportMetric(float64(each)/float64(time.Millisecond), "ms/1000-cases")
			b.ReportMetric(float64(each)/1000/float64(time.Microsecond), "µs/case")
		})
	}
}

// runAll runs cases as the subtests of a test would, which a benchmark cannot
// have.
func runAll(b *testing.B, s *Suite, cases []Case) {
	b.Helper()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(cases)); i = next.Add(1) - 1 {
				made, err := s.prepare(&cases[i])
				if err != nil {
					b.Error(err)
					return
				}
				if r := s.environment.Run(b.Context(), made); !r.Passed() {
					b.Error(describe(r, ""))
				}
			}
		})
	}
	workers.Wait()
}

// BenchmarkNew makes a suite: what a test costs once.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(b, Objects(labeler, policy), wanted(), Handler(answer(reviewtest.Allow)))
	}
}
