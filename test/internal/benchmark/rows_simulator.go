package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	kubernetesruntime "k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
)

func simulatorRows() []row {
	return []row{
		{
			name:  "B10",
			what:  "from 10 configurations, 5 with a condition, to the first verdict of a new simulator",
			gates: []bound{{timePerOp, atMost, float64(5 * time.Millisecond)}},
			open:  openStart,
		},
		{
			name: "B10/pods", what: "100,000 pods through 5 webhooks in the process, 2 of which add a label",
			headline: throughput, once: true, open: openPods,
		},
	}
}

// simulator makes a simulator with webhooks in the process.
func simulator(
	configurations []kubernetesruntime.Object, a answers,
) (*dispatcher.Dispatcher, error) {
	webhooks, err := source.Fixed(configurations)
	if err != nil {
		return nil, err
	}
	handler := &handler{answers: a, reader: newReader()}
	inProcess := client.InProcess(func(*admission.Webhook) http.Handler { return handler })
	return dispatcher.New(
		dispatcher.Config{Source: webhooks, Client: inProcess, Namespaces: homeOnly{}})
}

// handler is webhooks in the process.
type handler struct {
	answers answers
	reader  *reader
}

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, err := h.reader.read(r.Body, false, func() {}, func(read review) []byte {
		return h.answers.to(r.URL.Path, read.uid)
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer) // to memory
}

// homeOnly is a cluster with one namespace.
type homeOnly struct{}

// Labels implements matching.Namespaces.
func (homeOnly) Labels(
	context.Context,
	string,
) (map[string]string, error) {
	return home().Labels, nil
}

// podRequest is a request for the creation of a pod with the name.
func podRequest(name string) *admission.Request {
	pod := newPod()
	pod.Name = name
	return &admission.Request{
		Operation: admissionv1.Create,
		Kind:      podEndpoint().kind,
		Resource:  podEndpoint().gvr(),
		Namespace: namespace,
		Object:    pod,
		User:      &authenticationv1.UserInfo{Username: "alice"},
	}
}

// simulateOnce takes a request through and fails unless it is allowed after so
// many calls.
func simulateOnce(
	ctx context.Context, d *dispatcher.Dispatcher, r *admission.Request, calls int,
) error {
	verdict, err := simulate.Request(ctx, d, r, typedInterfaces())
	if err != nil {
		return err
	}
	if !verdict.Allowed || len(verdict.Calls) != calls {
		return fmt.Errorf("simulating a pod: allowed %t after %d calls, status %v", verdict.Allowed,
			len(verdict.Calls), verdict.Status)
	}
	return nil
}

// openStart is a bench of simulators that are made for one request.
func openStart(ctx context.Context, s *settings) (*bench, error) {
	including := func(i int, w *registrationv1.ValidatingWebhook) {
		if i%2 == 0 {
			w.MatchConditions = []registrationv1.MatchCondition{
				{
					Name:       "team",
					Expression: fmt.Sprintf("object.metadata.?labels['team'].orValue('') != 'team-%d'", i),
				},
			}
		}
	}
	const count = 10
	request := podRequest("web")
	begin := func() (batch, error) {
		configurations := validatingWebhooks(count, 1, including)
		return timedStep(func() error {
			d, err := simulator(configurations, nil)
			if err != nil {
				return err
			}
			return simulateOnce(ctx, d, request, count)
		})
	}
	// The process has to be warm.
	if _, err := begin(); err != nil {
		return nil, err
	}
	return alone(
		func(context.Context) (sample, error) { return repeat(s.span, begin) },
		func() {},
	), nil
}

// simulatedPods is how many different pods there are.
const simulatedPods = 1000

// openPods is a bench of a simulator that has a lot to do.
func openPods(ctx context.Context, s *settings) (*bench, error) {
	const mutating, validating = 2, 3
	configurations := append(mutatingWebhooks(mutating, registrationv1.NeverReinvocationPolicy),
		validatingWebhooks(validating, 1, func(i int, w *registrationv1.ValidatingWebhook) {
			w.ClientConfig.URL = new("https://webhook.example" + path(mutating+i))
		})...)
	d, err := simulator(configurations, labelling(mutating))
	if err != nil {
		return nil, err
	}
	requests := make([]*admission.Request, min(simulatedPods, s.pods))
	for i := range requests {
		requests[i] = podRequest(fmt.Sprintf("web-%d", i))
	}
	profile := filepath.Join(s.out, "B10-pods.split.pprof")
	measure := func(ctx context.Context) (sample, error) {
		var made sample
		err := profiled(profile, func() (err error) {
			made, err = simulateAll(ctx, d, requests, s.pods, mutating+validating)
			return err
		})
		if err != nil {
			return made, err
		}
		for stage, share := range split(ctx, profile) {
			made.values[unit(stage+"-%")] = share
		}
		return made, nil
	}
	return alone(measure, func() {}), nil
}

// simulateAll uses all processors.
func simulateAll(
	ctx context.Context, d *dispatcher.Dispatcher, requests []*admission.Request, pods, calls int,
) (sample, error) {
	workers := runtime.GOMAXPROCS(0)
	errs := make([]error, workers)
	var next atomic.Int64
	made, err := timedStep(func() error {
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := next.Add(1); i <= int64(pods) && errs[w] == nil; i = next.Add(1) {
					errs[w] = simulateOnce(ctx, d, requests[int(i)%len(requests)], calls)
				}
			})
		}
		wg.Wait()
		return errors.Join(errs...)
	})
	made.operations = pods
	counted := made.sample()
	counted.values[throughput] = float64(pods) / made.elapsed.Seconds()
	return counted, err
}
