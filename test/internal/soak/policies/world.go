package policies

import (
	"context"
	"strconv"
	"sync"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/dispatcher/policy/informed"
	"example.com/gatehouse/test/internal/soak/cluster"
)

// world is an API server with policies, and an evaluator that follows it.
type world struct {
	slots     []*slot
	policies  map[bool]*cluster.Collection // by whether they mutate
	evaluator *policy.Evaluator
	stop      chan struct{}
	running   sync.WaitGroup
}

// newWorld starts an evaluator of count policies.
func newWorld(count int) (*world, error) {
	bindings := map[bool]*cluster.Collection{
		false: cluster.Of(&registrationv1.ValidatingAdmissionPolicyBindingList{}),
		true:  cluster.Of(&registrationv1.MutatingAdmissionPolicyBindingList{}),
	}
	w := &world{stop: make(chan struct{}), policies: map[bool]*cluster.Collection{
		false: cluster.Of(&registrationv1.ValidatingAdmissionPolicyList{}),
		true:  cluster.Of(&registrationv1.MutatingAdmissionPolicyList{}),
	}}
	for i := range count {
		s := &slot{number: i, sort: sorts[i%len(sorts)]}
		if s.sort == "cost" && i >= len(sorts) {
			s.sort = "denies" // one is enough: it takes a second
		}
		w.slots = append(w.slots, s)
		w.write(s)
		bindings[s.mutates()].Put(s.binding())
	}
	return w, w.start(
		w.policies[false].Follow(&registrationv1.ValidatingAdmissionPolicy{}),
		w.policies[true].Follow(&registrationv1.MutatingAdmissionPolicy{}),
		bindings[false].Follow(&registrationv1.ValidatingAdmissionPolicyBinding{}),
		bindings[true].Follow(&registrationv1.MutatingAdmissionPolicyBinding{}),
	)
}

// write writes the next version of a policy.
func (w *world) write(s *slot) {
	w.policies[s.mutates()].Put(s.policy(s.written.Add(1)))
}

// start starts the evaluator and the informers.
func (w *world) start(informers ...cache.SharedIndexInformer) error {
	for i := range informers {
		informers[i] = &tracked{informers[i], w}
	}
	source, err := informed.Follow(params{}, w.stop, informers...)
	if err != nil {
		return err
	}
	w.evaluator, err = policy.New(policy.Config{
		Source: source, Authorizer: authorizer.AuthorizerFunc(allow),
		Namespaces: policy.NamespacesFunc(namespace),
		Types: func(context.Context, schema.GroupVersionKind) managedfields.TypeConverter {
			return managedfields.NewDeducedTypeConverter()
		},
	})
	for _, informer := range informers {
		w.running.Go(func() { informer.Run(w.stop) })
	}
	return err
}

func (w *world) close() {
	close(w.stop)
	w.running.Wait()
}

func allow(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
}

func namespace(_ context.Context, name string) (*corev1.Namespace, error) {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, nil
}

// tracked is an informer that notes which versions its handlers have received.
type tracked struct {
	cache.SharedIndexInformer
	w *world
}

// AddEventHandler implements cache.SharedInformer.
func (t *tracked) AddEventHandler(
	h cache.ResourceEventHandler,
) (cache.ResourceEventHandlerRegistration, error) {
	return t.SharedIndexInformer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(o any, initial bool) { h.OnAdd(o, initial); t.w.delivered(o) },
		UpdateFunc: func(old, o any) { h.OnUpdate(old, o); t.w.delivered(o) },
		DeleteFunc: h.OnDelete,
	})
}

// delivered notes that a version is in force.
func (w *world) delivered(o any) {
	m := o.(runtime.Object).(metav1.Object)
	version, err := strconv.ParseInt(m.GetLabels()[versionLabel], 10, 64)
	if err != nil {
		return // a binding
	}
	number, err := strconv.Atoi(m.GetName()[1:])
	if err == nil {
		w.slots[number].delivered.Store(version)
	}
}
