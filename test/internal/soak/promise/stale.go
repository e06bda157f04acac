package promise

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
)

// revision is a webhook that matches only pods labelled with its number. It has
// side effects, so that a dry run shows whether it matches without a call.
func revision(n int64) webhook {
	return hook(func(w *webhook) {
		w.ObjectSelector = &metav1.LabelSelector{MatchLabels: revisionLabels(n)}
		w.Rules[0].Resources = []string{"pods"}
		w.SideEffects = new(registrationv1.SideEffectClassSome)
	})
}

func revisionLabels(n int64) map[string]string {
	return map[string]string{revisionLabel: strconv.FormatInt(n, 10)}
}

// ask is a request that the revision n, and no other, refuses.
func ask(n int64) request {
	r := pod(revisionLabels(n))
	r.dryRun = true
	return r
}

// inForce reports whether the revision n is.
func (s *scene) inForce(ctx context.Context, n int64) (bool, error) {
	switch o := s.send(ctx, ask(n)); {
	case o.allowed():
		return false, nil
	case o.code() == http.StatusBadRequest:
		return true, nil
	default:
		return false, fmt.Errorf("asking for revision %d: %s", n, o)
	}
}

// find returns the newest revision in force, from one downwards; -1 if there is
// none.
func (s *scene) find(ctx context.Context, n int64) (int64, error) {
	for ; n >= 0; n-- {
		if is, err := s.inForce(ctx, n); is || err != nil {
			return n, err
		}
	}
	return n, nil
}

func pausedLister() Promise {
	return Promise{
		Name: "paused-lister",
		Says: "a change that arrives while the informer lists the configurations is in force afterwards",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{phase: admission.Validating, webhooks: []webhook{revision(0)}}
			return play(ctx, side, st, func(s *scene) error { return s.interleave(ctx) })
		},
	}
}

// interleave delivers the second of two changes after the plugin has listed the
// configurations of the first, but before it has compiled the list. For a
// plugin that does not list there is no such moment; the check runs
// nevertheless.
func (s *scene) interleave(ctx context.Context) error {
	if is, err := s.inForce(ctx, 0); err != nil || !is {
		return errors.Join(err, errors.New("the first revision is not in force"))
	}
	// Before the change: a plugin that does not wait for a request may list at
	// once.
	p := s.factory.pauseNextList()
	defer p.end()
	if err := s.configure(ctx, 1, revision(1)); err != nil {
		return err
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = s.send(ctx, ask(1))
	}()
	select {
	case <-p.reached:
	case <-over:
	}
	if err := s.configure(ctx, 2, revision(2)); err != nil {
		return err
	}
	p.end()
	<-over
	if is, err := s.inForce(ctx, 2); err != nil || is {
		return err
	}
	before, err := s.find(ctx, 2)
	if err != nil {
		return err
	}
	if err := s.unrelated(ctx); err != nil {
		return err
	}
	after, err := s.find(ctx, 2)
	if err != nil {
		return err
	}
	return broken("revision 2 had been delivered, but %d was in force, and %d after another configuration had been created", before, after)
}

// unrelated creates another configuration.
func (s *scene) unrelated(ctx context.Context) error {
	const revision = 1000
	other, err := configuration(s.phase, "unrelated", revision, nil)
	if err != nil {
		return err
	}
	_, err = s.kube.AdmissionregistrationV1().ValidatingWebhookConfigurations().
		Create(ctx, other.(*registrationv1.ValidatingWebhookConfiguration), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	return s.factory.heard(ctx, revision)
}

// Bursts is the promise that is a matter of chance: kube-apiserver's plugins
// break it in about one of 150 bursts. It is in All with DefaultBursts.
func Bursts(n int) Promise {
	return Promise{
		Name: "bursts",
		Says: "after a burst of 6 quick changes under 8 readers the last one is in force",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{phase: admission.Validating, webhooks: []webhook{revision(0)}}
			return play(ctx, side, st, func(s *scene) error { return s.bursts(ctx, n) })
		},
	}
}

// DefaultBursts is a number that takes a few seconds.
const DefaultBursts = 1000

const (
	burstWrites  = 6
	burstReaders = 8
)

func (s *scene) bursts(ctx context.Context, n int) error {
	var reading sync.WaitGroup
	defer reading.Wait()
	over := make(chan struct{})
	defer close(over)
	for range burstReaders {
		a, o, err := new(widget()).parts()
		if err != nil {
			return err
		}
		reading.Go(func() { s.read(ctx, a, o, over) })
	}
	var last int64
	for burst := range n {
		for range burstWrites {
			last++
			if err := s.write(ctx, last, revision(last)); err != nil {
				return err
			}
		}
		if err := s.factory.heard(ctx, last); err != nil {
			return err
		}
		is, err := s.inForce(ctx, last)
		if err != nil {
			return err
		}
		if !is {
			return s.stale(ctx, burst+1, last)
		}
	}
	return nil
}

// read makes the plugin look up its webhooks in a loop. No webhook matches the
// request, so that it does little else.
func (s *scene) read(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
	over <-chan struct{},
) {
	for {
		select {
		case <-over:
			return
		default:
			_ = s.admit(ctx, a, o)
			runtime.Gosched()
		}
	}
}

// stale returns which revision is in force after a burst, and whether it stays
// in force.
func (s *scene) stale(ctx context.Context, burst int, last int64) error {
	now, err := s.find(ctx, last)
	if err != nil {
		return err
	}
	time.Sleep(100 * time.Millisecond)
	later, err := s.find(ctx, last)
	if err != nil {
		return err
	}
	return broken("after burst %d, revision %d had been delivered, but %d was in force, and %d a while later", burst, last, now, later)
}
