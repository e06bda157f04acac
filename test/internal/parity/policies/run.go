package policies

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/dispatcher"
)

// Request makes the attributes of a request anew for each run.
type Request struct {
	New func() apiadmission.Attributes
	// Between changes the object after the webhooks of a round and reports whether
	// it did. It may be nil.
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
	levels      map[string]auditinternal.Level
	Warnings    []string
	// Reviews are the paths of the webhooks that were called, and what they
	// received: of the mutating ones in order, then of the others.
	Reviews []string
	// Metrics are the counts of the series that changed; nil without
	// Request.Metrics.
	Metrics map[string]uint64
}

// run runs a request through a chain.
func (s *Sides) run(ctx context.Context, c chain, r *Request) (result Result, err error) {
	if err := s.shared.server.Script(s.world.Responses); err != nil {
		return result, err
	}
	result.Annotations, result.levels = map[string]string{}, map[string]auditinternal.Level{}
	if r.Metrics {
		before := counts()
		defer func() { result.Metrics = changed(before, counts()) }()
	}
	a := &observed{Attributes: r.New(), request: r, result: &result}
	ctx = warning.WithWarningRecorder(ctx, a)
	refused := c.Admit(ctx, a, s.objects)
	mutating := len(s.shared.server.Requests())
	if refused == nil {
		result.Object = a.GetObject()
		refused = c.Validate(ctx, a, s.objects)
	}
	if refused != nil {
		result.Err = statusOf(refused)
	}
	for _, received := range s.shared.server.Requests() {
		result.Reviews = append(result.Reviews, received.Path+" "+
			reviewUID.ReplaceAllString(string(received.Body), `"uid":""`))
	}
	slices.Sort(result.Reviews[mutating:]) // validating webhooks are called at the same time
	return result, nil
}

// reviewUID is the uid of a review. No object has one.
var reviewUID = regexp.MustCompile(`"uid":"[^"]+"`)

// observed are the attributes of a request with its result so far.
type observed struct {
	apiadmission.Attributes
	request *Request
	result  *Result
	// mu guards the annotations and warnings of result: validating webhooks are called at
	// the same time.
	mu sync.Mutex
}

// AddWarning implements warning.Recorder.
func (a *observed) AddWarning(agent, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.result.Warnings = append(a.result.Warnings, agent+text)
}

// AddAnnotation implements admission.Attributes.
func (a *observed) AddAnnotation(key, value string) error {
	return a.AddAnnotationWithLevel(key, value, auditinternal.LevelMetadata)
}

// AddAnnotationWithLevel implements admission.Attributes.
func (a *observed) AddAnnotationWithLevel(
	key, value string, level auditinternal.Level,
) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.Attributes.AddAnnotationWithLevel(key, value, level)
	if err == nil {
		a.result.Annotations[key] = value
		a.result.levels[key] = level
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
	add("levels of annotations", want.levels, got.levels)
	add("warnings", want.Warnings, got.Warnings)
	add("metrics", want.Metrics, got.Metrics)
	add("reviews", want.Reviews, got.Reviews)
	add("object", encoded(want.Object), encoded(got.Object))
	return strings.Join(all, "\n")
}

func encoded(o runtime.Object) string {
	text, err := json.Marshal(o)
	return fmt.Sprintf("%T %s %v", o, text, err)
}

// maxRefreshes bounds how often a request is repeated because upstream's order
// changed meanwhile. It does so once a second at most.
const maxRefreshes = 5

// Compare runs a request through upstream and then through ours, with upstream's
// order of policies. It returns what differs, "" if nothing does, and upstream's
// result. With a recorder, ours records.
func (s *Sides) Compare(
	ctx context.Context, r *Request, recorder dispatcher.Recorder,
) (different string, want Result, err error) {
	for range maxRefreshes {
		names := s.upstream.order()
		if want, err = s.run(ctx, s.theirs, r); err != nil {
			return "", want, err
		}
		s.inForce.Set = s.set.Ordered(inOrder(names))
		got, err := s.runOurs(ctx, s.exact, r, recorder)
		if err != nil {
			return "", want, err
		}
		different = difference(want, got)
		if different == "" || slices.Equal(names, s.upstream.order()) {
			break
		}
	}
	return different, want, nil
}

// RunByName runs a request through ours, without Exact and with the policies in
// the order of their names.
func (s *Sides) RunByName(ctx context.Context, r *Request) (Result, error) {
	s.inForce.Set = s.set
	return s.runOurs(ctx, s.byName, r, nil)
}

func (s *Sides) runOurs(
	ctx context.Context, d *dispatcher.Dispatcher, r *Request, recorder dispatcher.Recorder,
) (Result, error) {
	if recorder != nil {
		d = d.WithObserver(recorder)
	}
	c, err := newChain(ofGatehouse(d), nil)
	if err != nil {
		return Result{}, err
	}
	return s.run(ctx, c, r)
}

// inOrder returns a function that compares names by their positions.
func inOrder(names []string) func(a, b string) int {
	rank := map[string]int{}
	for i, name := range names {
		rank[name] = i
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
