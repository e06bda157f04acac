package policies

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/policy"
)

// Request makes the attributes of a request anew for each run.
type Request struct {
	New func() apiadmission.Attributes
	// Between changes the object between the policies of a round and its end, as
	// a webhook does, and reports whether it did. It may be nil.
	Between func(runtime.Object) bool
	// Metrics says that metrics are compared, which takes time.
	Metrics bool
}

// Result is what a client and an auditor see of a request.
type Result struct {
	// Err is the status as JSON, "" if the request was admitted.
	Err string
	// Object is the object after the request. It is undefined if it was denied
	// while mutating.
	Object      runtime.Object
	Rounds      int
	Annotations map[string]string
	Warnings    []string
	// Metrics are the counts of the series that changed; nil without
	// Request.Metrics.
	Metrics map[string]uint64
}

// chain has the plugins of a side.
type chain struct {
	admit, validate func(
		context.Context, apiadmission.Attributes, apiadmission.ObjectInterfaces) error
}

func (s *Sides) upstream() chain {
	return chain{
		func(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) error {
			if !s.mutating.Handles(a.GetOperation()) {
				return nil
			}
			return s.mutating.Admit(ctx, a, o)
		},
		s.validating.Validate,
	}
}

// fixed is a source that never changes.
type fixed struct{ *policy.Set }

func (f fixed) Current(context.Context) (*policy.Set, error) { return f.Set, nil }

// ours returns our side with an order, which compares names.
func (s *Sides) ours(order func(a, b string) int, recorder dispatcher.PolicyRecorder) (chain, error) {
	config := s.in
	config.Source = fixed{s.set.Ordered(order)}
	e, err := policy.New(config)
	if err != nil {
		return chain{}, err
	}
	return chain{
		func(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) error {
			return e.Admit(ctx, a, o, recorder)
		},
		func(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) error {
			return e.Validate(ctx, a, o, recorder)
		},
	}, nil
}

// run runs a request through a side.
func (c chain) run(
	ctx context.Context, r *Request, o apiadmission.ObjectInterfaces,
) (result Result) {
	result.Annotations = map[string]string{}
	if r.Metrics {
		before := counts()
		defer func() { result.Metrics = changed(before, counts()) }()
	}
	ctx = warning.WithWarningRecorder(ctx, &result)
	a := &annotated{r.New(), &result}
	err := c.mutate(ctx, a, o, r, &result)
	if err == nil {
		result.Object = a.GetObject()
		err = c.validate(ctx, a, o)
	}
	if err != nil {
		result.Err = statusOf(err)
	}
	return result
}

// mutate runs the rounds.
func (c chain) mutate(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces, r *Request,
	result *Result,
) error {
	again := a.GetReinvocationContext()
	for result.Rounds = 1; ; result.Rounds++ {
		if err := c.admit(ctx, a, o); err != nil {
			return err
		}
		if r.Between != nil && a.GetObject() != nil && r.Between(a.GetObject()) {
			again.SetShouldReinvoke()
		}
		if again.IsReinvoke() || !again.ShouldReinvoke() {
			return nil
		}
		again.SetIsReinvoke()
	}
}

// AddWarning implements warning.Recorder.
func (r *Result) AddWarning(agent, text string) { r.Warnings = append(r.Warnings, agent+text) }

// annotated are attributes whose annotations a result keeps.
type annotated struct {
	apiadmission.Attributes
	result *Result
}

func (a *annotated) AddAnnotation(key, value string) error {
	return a.AddAnnotationWithLevel(key, value, auditinternal.LevelMetadata)
}

func (a *annotated) AddAnnotationWithLevel(
	key, value string, level auditinternal.Level,
) error {
	err := a.Attributes.AddAnnotationWithLevel(key, value, level)
	if err == nil {
		a.result.Annotations[key] = value
	}
	return err
}

// statusOf returns what the client receives.
func statusOf(err error) string {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return fmt.Sprintf("%T %v", err, err)
	}
	text, encodeErr := json.Marshal(status.Status())
	return fmt.Sprintf("%s %v", text, encodeErr)
}

// difference says in what two results differ; "" if in nothing.
func difference(want, got Result) string {
	var all []string
	add := func(what string, want, got any) {
		if !equality.Semantic.DeepEqual(want, got) {
			all = append(all, fmt.Sprintf("%s: upstream %v, gatehouse %v", what, want, got))
		}
	}
	add("error", want.Err, got.Err)
	add("rounds", want.Rounds, got.Rounds)
	add("annotations", want.Annotations, got.Annotations)
	add("warnings", want.Warnings, got.Warnings)
	add("metrics", want.Metrics, got.Metrics)
	add("object", encoded(want.Object), encoded(got.Object))
	return strings.Join(all, "\n")
}

func encoded(o runtime.Object) string {
	text, err := json.Marshal(o)
	return fmt.Sprintf("%T %s %v", o, text, err)
}

// maxOrders bounds the orders that are tried.
const maxOrders = 400

// Compare runs a request through both sides. It returns what differs in every
// order of ours, and upstream's result. The order that it returns is the one in
// which nothing differs; the next request begins with it.
func (s *Sides) Compare(
	ctx context.Context, r *Request, o apiadmission.ObjectInterfaces, order func(a, b string) int,
	recorder dispatcher.PolicyRecorder,
) (string, Result, func(a, b string) int, error) {
	want := s.upstream().run(ctx, r, o)
	first := ""
	random := rand.New(rand.NewPCG(1, 2))
	for n := range maxOrders {
		ours, err := s.ours(order, recorder)
		if err != nil {
			return "", want, order, err
		}
		got := difference(want, ours.run(ctx, r, o))
		if got == "" {
			return "", want, order, nil
		}
		first = cmp.Or(first, got)
		if n > 0 && len(s.names()) < 2 {
			break
		}
		order = shuffled(s.names(), random)
	}
	return first, want, strings.Compare, nil
}

// names are the names of policies and bindings.
func (s *Sides) names() []string { return s.set.Names() }

// shuffled returns a random order.
func shuffled(names []string, random *rand.Rand) func(a, b string) int {
	rank := map[string]int{}
	for to, from := range random.Perm(len(names)) {
		rank[names[from]] = to
	}
	return func(a, b string) int { return rank[a] - rank[b] }
}

// Describe returns a world and a request for a message.
func Describe(w *World, r *Request) string {
	var text strings.Builder
	for _, p := range w.Policies {
		fmt.Fprintln(&text, encoded(p))
	}
	a := r.New()
	fmt.Fprintf(&text, "%s %s %s/%s %s\nold %s\n", a.GetOperation(), a.GetResource(), a.GetNamespace(), a.GetName(),
		encoded(a.GetObject()), encoded(a.GetOldObject()))
	return text.String()
}
