package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/dispatcher/simulate"
)

const (
	// fewPolicies have so few orders that all are tried.
	fewPolicies = 6
	// drawnOrders are drawn if there are more policies.
	drawnOrders = 200
)

// PolicyOrders is what the orders of the mutating policies that apply to a request
// make of it. kube-apiserver's order is random.
type PolicyOrders struct {
	// Policies are the mutating policies that were evaluated, by name.
	Policies []string
	// Tried is the number of tried orders. All is true if there are no others.
	Tried int
	All   bool
	// Outcomes are the different outcomes. The first is that of the order by name.
	Outcomes []OrderOutcome
	// Pairs are the policies whose own order makes a difference when they come
	// first.
	Pairs [][2]string
}

// OrderOutcome is what some orders make of a request.
type OrderOutcome struct {
	// Order is the first of these orders, and Orders how many there are.
	Order  []string
	Orders int
	// Status is the denial; nil if the request is admitted.
	Status *metav1.Status
	// Changes are the differences of the object from the first outcome.
	Changes []explain.Change

	object json.RawMessage
}

// PolicyOrders admits the request of a result again in other orders of its
// mutating policies.
func (s *Session) PolicyOrders(ctx context.Context, v *Result) (*PolicyOrders, error) {
	names := evaluatedPolicies(v.Response)
	first, err := outcomeOf(names, v.Response)
	if err != nil {
		return nil, err
	}
	orders := ordersOf(names)
	trial := &orderTrial{
		Session: s, request: v.Request, outcomes: []OrderOutcome{first}, tried: map[string]int{},
	}
	trial.tried[keyOf(names)] = 0
	for _, order := range orders {
		i, err := trial.outcome(ctx, order)
		if err != nil {
			return nil, fmt.Errorf("ordering the policies of %s: %w", v.Reference(), err)
		}
		trial.outcomes[i].Orders++
	}
	o := &PolicyOrders{
		Policies: names, Tried: len(orders), All: len(names) <= fewPolicies,
		Outcomes: slices.Clip(trial.outcomes),
	}
	if len(o.Outcomes) > 1 {
		o.Pairs, err = trial.pairs(ctx, names)
	}
	return o, err
}

// evaluatedPolicies returns the names of the mutating policies that were evaluated.
func evaluatedPolicies(r *admission.Response) (names []string) {
	for i := range r.Policies {
		p := &r.Policies[i]
		evaluated := slices.ContainsFunc(p.Bindings, func(b admission.BindingRecord) bool {
			return len(b.Evaluations) > 0
		})
		if p.Phase == admission.Mutating && evaluated {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ordersOf returns all orders of a few names, or else some. The first is that of the
// names.
func ordersOf(names []string) [][]string {
	if len(names) <= fewPolicies {
		return permutations(names)
	}
	orders := [][]string{names}
	random := rand.New(rand.NewPCG(1, 1)) // the same for each run
	for len(orders) < drawnOrders {
		order := slices.Clone(names)
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		orders = append(orders, order)
	}
	return orders
}

func permutations(names []string) [][]string {
	if len(names) == 0 {
		return [][]string{nil}
	}
	var all [][]string
	for i, first := range names {
		for _, rest := range permutations(without(names, i)) {
			all = append(all, append([]string{first}, rest...))
		}
	}
	return all
}

func without(names []string, i int) []string {
	return slices.Delete(slices.Clone(names), i, i+1)
}

// orderTrial tries orders for one request.
type orderTrial struct {
	*Session
	request  *admission.Request
	outcomes []OrderOutcome
	// tried has the index of the outcome of each order.
	tried map[string]int
}

// keyOf returns the key of an order. No name has a space.
func keyOf(order []string) string { return strings.Join(order, " ") }

// outcome returns the index of the outcome of an order, which it tries if it has not
// been tried.
func (t *orderTrial) outcome(ctx context.Context, order []string) (int, error) {
	if i, ok := t.tried[keyOf(order)]; ok {
		return i, nil
	}
	o, err := t.try(ctx, order)
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(t.outcomes, func(before OrderOutcome) bool { return before.same(&o) })
	if i < 0 {
		if o.Changes, err = explain.Diff(t.outcomes[0].object, o.object); err != nil {
			return 0, err
		}
		i = len(t.outcomes)
		t.outcomes = append(t.outcomes, o)
	}
	t.tried[keyOf(order)] = i
	return i, nil
}

// try admits the request with an order.
func (t *orderTrial) try(ctx context.Context, order []string) (OrderOutcome, error) {
	evaluator, err := t.policies.Ordered(order)
	if err != nil {
		return OrderOutcome{}, err
	}
	config := t.config
	config.Policies = evaluator
	d, err := dispatcher.New(config)
	if err != nil {
		return OrderOutcome{}, err
	}
	response, err := simulate.Request(ctx, d, t.request, t.objects)
	if err == nil {
		err = ctx.Err() // a request that was interrupted is no outcome
	}
	if err != nil {
		return OrderOutcome{}, err
	}
	return outcomeOf(order, response)
}

// pairs compares the orders that begin with each pair.
func (t *orderTrial) pairs(ctx context.Context, names []string) (pairs [][2]string, err error) {
	for i, a := range names {
		for j := i + 1; j < len(names); j++ {
			b, rest := names[j], without(without(names, j), i)
			there, err := t.outcome(ctx, append([]string{a, b}, rest...))
			if err != nil {
				return nil, err
			}
			back, err := t.outcome(ctx, append([]string{b, a}, rest...))
			if err != nil {
				return nil, err
			}
			if there != back {
				pairs = append(pairs, [2]string{a, b})
			}
		}
	}
	return pairs, nil
}

// outcomeOf returns the outcome of one order.
func outcomeOf(order []string, r *admission.Response) (OrderOutcome, error) {
	o := OrderOutcome{Order: order, Status: r.Status}
	if r.Status != nil || r.Object == nil {
		return o, nil // denied, or a deletion
	}
	object := r.Object.DeepCopyObject()
	if m, err := meta.Accessor(object); err == nil && m.GetGenerateName() != "" {
		m.SetName(m.GetGenerateName()) // a generated name is another one each time
	}
	var err error
	o.object, err = json.Marshal(object)
	return o, err
}

func (o *OrderOutcome) same(other *OrderOutcome) bool {
	if o.Status != nil || other.Status != nil {
		return o.Status != nil && other.Status != nil && o.Status.Message == other.Status.Message
	}
	return bytes.Equal(o.object, other.object)
}
