package collector_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/collector"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// server calls a Collector as a dispatcher does.
type server struct {
	*collector.Collector
	mu        sync.Mutex
	responses []*admission.Response
}

func newServer(config collector.Config) *server {
	s := &server{}
	config.Done = func(r *admission.Response) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.responses = append(s.responses, r)
	}
	s.Collector = collector.New(config)
	return s
}

// outline describes the responses that have ended, a line each.
func (s *server) outline() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines []string
	for _, r := range s.responses {
		line := fmt.Sprintf("%s %s", r.Request.Operation, r.Request.Name)
		if pod, ok := r.Request.Object.(*corev1.Pod); ok && pod.Labels["attempt"] != "" {
			line += "#" + pod.Labels["attempt"]
		}
		line += ":"
		for _, p := range r.Policies {
			line += fmt.Sprintf(" %s:%v", p.Name, p.Phase)
		}
		for _, c := range r.Calls {
			line += fmt.Sprintf(" %v/%d", c.Webhook.Phase, c.Round)
		}
		switch {
		case r.Allowed:
			line += " allowed"
		case r.Status != nil:
			line += " " + r.Status.Message
		default:
			line += " undecided"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// sorted returns lines in their order.
func sorted(lines string) string {
	return strings.Join(slices.Sorted(strings.SplitSeq(lines, "\n")), "\n")
}

// attributes are those of a request for a pod.
func attributes(operation apiadmission.Operation, name string) apiadmission.Attributes {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop"}}
	var object, old runtime.Object = pod, nil
	if operation == apiadmission.Delete {
		object, old = nil, pod
	}
	return apiadmission.NewAttributesRecord(object, old, corev1.SchemeGroupVersion.WithKind("Pod"), "shop", name,
		corev1.SchemeGroupVersion.WithResource("pods"), "", operation, &metav1.CreateOptions{}, false,
		&user.DefaultInfo{Name: "ann", Extra: map[string][]string{"k": {"v"}}})
}

// attempt is attributes of an update of the pod a. The label "attempt" tells it from
// other attempts.
func attempt(number string) apiadmission.Attributes {
	a := attributes(apiadmission.Update, "a")
	a.GetObject().(*corev1.Pod).Labels = map[string]string{"attempt": number}
	return a
}

// copied is attributes of a type that is no pointer and cannot be compared.
type copied struct {
	apiadmission.Attributes
	_ []string
}

// httpRequest is the context of an HTTP request.
func httpRequest() context.Context {
	return endpointsrequest.WithRequestInfo(context.Background(), &endpointsrequest.RequestInfo{})
}

// begin begins a phase with one call.
func (s *server) begin(ctx context.Context, phase admission.Phase, a apiadmission.Attributes) dispatcher.PhaseRecorder {
	p := s.BeginPhase(ctx, phase, a, apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme))
	if p == nil {
		return nil
	}
	w := &admission.Webhook{Phase: phase, Name: "w.example.com", Configuration: "c"}
	round, labels := 0, map[string]string(nil)
	if pod, ok := a.GetObject().(*corev1.Pod); ok {
		labels = pod.Labels
	}
	if phase == admission.Mutating && a.GetReinvocationContext().IsReinvoke() {
		round = 1
	}
	p.RecordMatch(ctx, &admission.Match{Webhook: w, Round: round, Seen: &admission.Seen{ObjectLabels: labels}})
	p.RecordCall(ctx, &admission.Call{Webhook: w, Round: round, Outcome: admission.Allowed,
		Warnings: []string{"w", phase.String()}, Trace: &admission.Trace{After: []byte("0123456789")}})
	return p
}

func (s *server) mutate(ctx context.Context, a apiadmission.Attributes) {
	s.begin(ctx, admission.Mutating, a).EndPhase(nil)
}

func (s *server) validate(ctx context.Context, a apiadmission.Attributes) {
	s.begin(ctx, admission.Validating, a).EndPhase(nil)
}

// joinCase is what a server does, and the responses that it makes of it.
type joinCase struct {
	row
	serve func(s *server)
	want  string
}

const between = "undecided"

func TestCollector(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []joinCase{{
		row: row{"creation", "the validating phase has new attributes"},
		serve: func(s *server) {
			ctx := httpRequest()
			s.mutate(ctx, attributes(apiadmission.Create, "a"))
			s.validate(ctx, attributes(apiadmission.Create, "a"))
		},
		want: "CREATE a: mutating/0 validating/0 allowed",
	}, {
		row: row{"deletion", "both phases have the same attributes, which are enough"},
		serve: func(s *server) {
			a := attributes(apiadmission.Delete, "a")
			s.mutate(context.Background(), a)
			s.validate(context.Background(), a)
		},
		want: "DELETE a: mutating/0 validating/0 allowed",
	}, {
		row: row{"second round", "the attributes say that the phase runs again"},
		serve: func(s *server) {
			ctx, a := httpRequest(), attributes(apiadmission.Create, "a")
			s.mutate(ctx, a)
			a.GetReinvocationContext().SetIsReinvoke()
			s.mutate(ctx, a)
			s.validate(ctx, a)
		},
		want: "CREATE a: mutating/0 mutating/1 validating/0 allowed",
	}, {
		row: row{"denied when mutating", "no validating phase follows"},
		serve: func(s *server) {
			s.begin(httpRequest(), admission.Mutating, attributes(apiadmission.Create, "a")).EndPhase(errors.New("no"))
		},
		want: "CREATE a: mutating/0 Internal error occurred: no",
	}, {
		row: row{"denied when validating", "the error of the phase is the status"},
		serve: func(s *server) {
			ctx := httpRequest()
			s.mutate(ctx, attributes(apiadmission.Create, "a"))
			s.begin(ctx, admission.Validating, attributes(apiadmission.Create, "a")).EndPhase(errors.New("no"))
		},
		want: "CREATE a: mutating/0 validating/0 Internal error occurred: no",
	}, {
		row: row{"ended between the phases", "the API server may refuse what webhooks have made"},
		serve: func(s *server) {
			ctx, cancel := context.WithCancel(httpRequest())
			s.mutate(ctx, attributes(apiadmission.Create, "a"))
			cancel()
		},
		want: "CREATE a: mutating/0 " + between,
	}, {
		row: row{"ended during a phase", "the phase goes on to its end"},
		serve: func(s *server) {
			ctx, cancel := context.WithCancel(httpRequest())
			p := s.begin(ctx, admission.Mutating, attributes(apiadmission.Create, "a"))
			cancel()
			synctest.Wait()
			p.RecordCall(ctx, &admission.Call{Webhook: &admission.Webhook{Phase: admission.Mutating}, Outcome: admission.Allowed})
			p.EndPhase(nil)
		},
		want: "CREATE a: mutating/0 mutating/0 " + between,
	}, {
		row: row{"collection", "several requests of one HTTP request at the same time"},
		serve: func(s *server) {
			ctx, a, b := httpRequest(), attributes(apiadmission.Delete, "a"), attributes(apiadmission.Delete, "b")
			s.mutate(ctx, a)
			s.mutate(ctx, b)
			s.validate(ctx, a)
			s.validate(ctx, b)
		},
		want: "DELETE a: mutating/0 validating/0 allowed\nDELETE b: mutating/0 validating/0 allowed",
	}, {
		row: row{"update again", "an attempt that met a conflict is a response of its own"},
		serve: func(s *server) {
			ctx, cancel := context.WithCancel(httpRequest())
			s.mutate(ctx, attempt("1"))
			s.mutate(ctx, attempt("2"))
			s.validate(ctx, attempt("2"))
			cancel()
		},
		want: "UPDATE a#2: mutating/0 validating/0 allowed\nUPDATE a#1: mutating/0 " + between,
	}, {
		row: row{"deletion of another", "a deletion without its mutating phase does not take that of another one"},
		serve: func(s *server) {
			ctx, cancel := context.WithCancel(httpRequest())
			s.mutate(ctx, attributes(apiadmission.Delete, "a"))
			s.validate(ctx, attributes(apiadmission.Delete, "b"))
			cancel()
		},
		want: "DELETE b: validating/0 allowed\nDELETE a: mutating/0 " + between,
	}, {
		row: row{"other requests", "two HTTP requests for one object"},
		serve: func(s *server) {
			first, second := httpRequest(), httpRequest()
			s.mutate(first, attributes(apiadmission.Create, "a"))
			s.mutate(second, attributes(apiadmission.Create, "b"))
			s.validate(first, attributes(apiadmission.Create, "a"))
			s.validate(second, attributes(apiadmission.Create, "b"))
		},
		want: "CREATE a: mutating/0 validating/0 allowed\nCREATE b: mutating/0 validating/0 allowed",
	}, {
		row: row{"other endpoint", "an eviction deletes the pod in the same HTTP request"},
		serve: func(s *server) {
			ctx, a := httpRequest(), attributes(apiadmission.Delete, "a")
			s.mutate(ctx, attributes(apiadmission.Create, "eviction"))
			s.mutate(ctx, a)
			s.validate(ctx, a)
			s.validate(ctx, attributes(apiadmission.Create, "eviction"))
		},
		want: "DELETE a: mutating/0 validating/0 allowed\nCREATE eviction: mutating/0 validating/0 allowed",
	}, {
		row: row{"nothing in common", "without RequestInfo only the attributes join phases"},
		serve: func(s *server) {
			ctx, cancel := context.WithCancel(context.Background())
			s.mutate(ctx, attributes(apiadmission.Create, "a"))
			s.validate(ctx, attributes(apiadmission.Create, "a"))
			cancel()
		},
		want: "CREATE a: validating/0 allowed\nCREATE a: mutating/0 " + between,
	}, {
		row: row{"attributes that cannot be compared", "the RequestInfo joins them"},
		serve: func(s *server) {
			ctx := httpRequest()
			s.mutate(ctx, copied{Attributes: attributes(apiadmission.Create, "a")})
			s.validate(ctx, copied{Attributes: attributes(apiadmission.Create, "a")})
		},
		want: "CREATE a: mutating/0 validating/0 allowed",
	}}, func(t *testing.T, tc joinCase) {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(collector.Config{})
			tc.serve(s)
			synctest.Wait()
			if got := s.outline(); got != tc.want {
				t.Errorf("responses:\n%s\nwant:\n%s", got, tc.want)
			}
		})
	})
}

// TestOnlyCalled leaves out a request that no webhook has received, and keeps
// the objects of the others.
func TestOnlyCalled(t *testing.T) {
	t.Parallel()
	s := newServer(collector.Config{OnlyCalled: true})
	objects := apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
	for _, err := range []error{nil, errors.New("no")} {
		ctx, a := httpRequest(), attributes(apiadmission.Create, fmt.Sprint(err))
		s.BeginPhase(ctx, admission.Mutating, a, objects).EndPhase(nil)
		s.BeginPhase(ctx, admission.Validating, a, objects).EndPhase(err)
	}
	ctx := httpRequest()
	s.mutate(ctx, attributes(apiadmission.Create, "a"))
	s.validate(ctx, attributes(apiadmission.Create, "a"))
	if got, want := s.outline(), "CREATE no: Internal error occurred: no\nCREATE a: mutating/0 validating/0 allowed"; got != want {
		t.Errorf("responses:\n%s\nwant:\n%s", got, want)
	}
	for _, r := range s.responses {
		if r.Object == nil || r.Request.Object == nil {
			t.Errorf("%s: the objects are %v and %v", r.Request.Name, r.Request.Object, r.Object)
		}
	}
}

// TestTooMany requires that the oldest request between its phases gives way,
// and that a run is dropped if all others are in a phase.
func TestTooMany(t *testing.T) {
	t.Parallel()
	s := newServer(collector.Config{MaxRequests: 3})
	ctx := httpRequest()
	begin := func(name string) dispatcher.PhaseRecorder {
		return s.begin(ctx, admission.Mutating, attributes(apiadmission.Create, name))
	}
	running := []dispatcher.PhaseRecorder{begin("a")}
	s.mutate(ctx, attributes(apiadmission.Create, "b"))
	s.mutate(ctx, attributes(apiadmission.Create, "c"))
	running = append(running, begin("d"), begin("e"))
	if got, want := s.outline(), "CREATE b: mutating/0 "+between+"\nCREATE c: mutating/0 "+between; got != want {
		t.Errorf("responses:\n%s\nwant:\n%s", got, want)
	}
	if p := begin("f"); p != nil || s.Dropped() != 1 {
		t.Errorf("with 3 of 3 in a phase another one was begun: %v, dropped %d", p, s.Dropped())
	}
	for _, p := range running {
		p.EndPhase(errors.New("no"))
	}
	if n := len(s.responses); n != 5 {
		t.Errorf("%d responses, want 5", n)
	}
}

// TestResponse looks at what a response holds beside the records.
func TestResponse(t *testing.T) {
	t.Parallel()
	s, ctx := newServer(collector.Config{MaxBytes: 15}), httpRequest()
	a := attributes(apiadmission.Create, "a")
	pod := a.GetObject().(*corev1.Pod)
	pod.APIVersion, pod.Kind = "v1", "Pod" // so that nothing is converted
	s.mutate(ctx, a)
	pod.Labels = map[string]string{"by": "w"}
	s.validate(ctx, a)
	pod.Labels["by"] = "the storage"
	r := s.responses[0]
	if seen := r.Matches[1].Seen.ObjectLabels["by"]; seen != "w" {
		t.Errorf("the labels seen are by %s", seen)
	}
	if r.Request.Object.(*corev1.Pod).Labels != nil || r.Object.(*corev1.Pod).Labels["by"] != "w" {
		t.Errorf("the object was %v and is %v", r.Request.Object, r.Object)
	}
	if r.Request.User.Username != "ann" || r.Request.User.Extra["k"][0] != "v" || r.Request.Options == nil {
		t.Errorf("user %v, options %v", r.Request.User, r.Request.Options)
	}
	if want := []string{"w", "mutating", "validating"}; !slices.Equal(r.Warnings, want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
	if len(r.AuditAnnotations) != 1 || len(r.Matches) != 2 {
		t.Errorf("annotations %v, matches %v", r.AuditAnnotations, r.Matches)
	}
	if r.Calls[0].Trace == nil || r.Calls[1].Trace != nil {
		t.Error("the traces have 20 bytes of 15, and not one of two")
	}
}

// TestVersion requires that the object of a response is in the version of the
// request.
func TestVersion(t *testing.T) {
	t.Parallel()
	s := newServer(collector.Config{})
	s.validate(httpRequest(), attributes(apiadmission.Create, "a"))
	if kind := s.responses[0].Object.GetObjectKind().GroupVersionKind(); kind != corev1.SchemeGroupVersion.WithKind("Pod") {
		t.Errorf("the kind is %v", kind)
	}
}

// TestDonePanics requires that requests after a panic are gathered.
func TestDonePanics(t *testing.T) {
	t.Parallel()
	calls := 0
	s := &server{Collector: collector.New(collector.Config{Done: func(*admission.Response) { calls++; panic("boom") }})}
	for range 2 {
		s.validate(httpRequest(), attributes(apiadmission.Create, "a"))
	}
	if calls != 2 {
		t.Errorf("Done was called %d times, want 2", calls)
	}
}
