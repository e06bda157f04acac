package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/conformance/probe"
)

const (
	// maxQuestions is the number of different reviews in a burst.
	maxQuestions = 8
	// confirmations is the number of times that a review is sent again, alone.
	// If its answer never differs then, other reviews must have changed it.
	confirmations = 16
)

// question is a review with the answer that it gets when it is sent alone.
type question struct {
	met *probe.Exchange
	// parts are the parts of the answer that are the same whenever the review
	// is sent alone. They exclude others, such as the time or a random name.
	parts map[string]string
	// large is true if the object was enlarged.
	large bool
	// confirmed is true after confirm.
	confirmed bool
}

// verdictPart is the name of the part that shows whether the request is allowed.
const verdictPart = "verdict"

// partNames are the names of the parts, the one that matters most first.
func partNames() []string {
	return []string{verdictPart, "status", "patch", "list of warnings", "set of audit annotations"}
}

// partsOf returns the parts of an answer by name, without the uid.
func partsOf(x *probe.Exchange) map[string]string {
	a := x.Answer
	parts := map[string]string{}
	for i, value := range []any{
		a.IsAllowed(), []any{a.Code, a.Reason, a.Message}, operations(a.Patch), a.Warnings,
		a.AuditAnnotations,
	} {
		parts[partNames()[i]] = fmt.Sprint(value)
	}
	return parts
}

// operations returns the operations of a patch in a fixed order, and the fields
// of each as well: webhooks that make them from a map send them in any.
func operations(patch []byte) []string {
	var decoded []any
	if json.Unmarshal(patch, &decoded) != nil {
		return []string{string(patch)}
	}
	all := make([]string, len(decoded))
	for i, operation := range decoded {
		text, err := json.Marshal(operation)
		if err != nil {
			return []string{string(patch)}
		}
		all[i] = string(text)
	}
	slices.Sort(all)
	return all
}

// otherwise returns the first part of an answer that differs from the answer to
// the review alone; empty if there is none.
func (q *question) otherwise(x *probe.Exchange) string {
	if x.Answer == nil {
		return ""
	}
	parts := partsOf(x)
	for _, name := range partNames() {
		if alone, stable := q.parts[name]; stable && parts[name] != alone {
			return name
		}
	}
	return ""
}

// ask sends the review alone, and drops the parts that have changed. It reports
// whether there was an answer.
func (q *question) ask(ctx context.Context, w *probe.Webhook) bool {
	x := w.Send(ctx, q.met.Sample, q.met.ReviewCopy())
	if x.Answer == nil {
		return false
	}
	for name, value := range partsOf(x) {
		if q.parts[name] != value {
			delete(q.parts, name)
		}
	}
	return true
}

// confirm sends the review alone some more times. It reports whether the
// webhook still answers.
func (q *question) confirm(ctx context.Context, w *probe.Webhook) bool {
	for range confirmations {
		if q.confirmed {
			break
		}
		if !q.ask(ctx, w) {
			return false
		}
	}
	q.confirmed = true
	return true
}

// mixedQuestions returns reviews that the webhook answers as differently as
// possible, those that it allows in turn with those that it denies. Each was
// sent twice alone.
func mixedQuestions(ctx context.Context, w *probe.Webhook) []*question {
	met := w.AllowedFirst()
	for _, v := range w.AnsweredVisits() {
		if x := w.ExchangeFor(v); !slices.Contains(met, x) {
			met = append(met, x)
		}
	}
	if len(met) > 0 && met[0].Answer.IsAllowed() && !slices.ContainsFunc(met, denied) {
		if x := deniedVariant(ctx, w); x != nil {
			met = append(met, x)
		}
	}
	var all []*question
	for _, x := range inTurn(distinctFirst(met)) {
		q := &question{met: x, parts: partsOf(x)}
		if len(all) < maxQuestions && q.ask(ctx, w) {
			all = append(all, q)
		}
	}
	return all
}

func denied(x *probe.Exchange) bool { return !x.Answer.IsAllowed() }

// distinctFirst puts exchanges whose answer an earlier one has at the end.
func distinctFirst(met []*probe.Exchange) []*probe.Exchange {
	var distinct, similar []*probe.Exchange
	seen := map[string]bool{}
	for _, x := range met {
		if text := fmt.Sprint(partsOf(x)); seen[text] {
			similar = append(similar, x)
		} else {
			seen[text] = true
			distinct = append(distinct, x)
		}
	}
	return slices.Concat(distinct, similar)
}

// inTurn returns allowed and denied exchanges in turn, repeating those of which
// there are fewer.
func inTurn(met []*probe.Exchange) []*probe.Exchange {
	no := slices.DeleteFunc(slices.Clone(met), func(x *probe.Exchange) bool { return !denied(x) })
	yes := slices.DeleteFunc(slices.Clone(met), denied)
	if len(no) == 0 || len(yes) == 0 {
		return met
	}
	var all []*probe.Exchange
	for i := range max(len(no), len(yes)) {
		all = append(all, yes[i%len(yes)], no[i%len(no)])
	}
	return all
}

// enlarged returns the questions with larger objects, which the webhook takes
// longer to read: more reviews are under way at the same time then. It returns
// nil if there is no object to enlarge.
func enlarged(ctx context.Context, w *probe.Webhook, questions []*question) []*question {
	const more = 32 << 10
	var all []*question
	for _, q := range questions {
		if q.met.Object() == nil || q.met.Review.Operation() == string(admissionv1.Connect) {
			continue
		}
		x := w.Send(ctx, q.met.Sample, padded(q.met, more))
		if x.Answer == nil {
			continue
		}
		large := &question{met: x, parts: partsOf(x), large: true}
		if large.ask(ctx, w) {
			all = append(all, large)
		}
	}
	return all
}

// deniedVariant returns the denial of an allowed sample after a change that
// policies often deny; nil if the webhook denies none.
func deniedVariant(ctx context.Context, w *probe.Webhook) *probe.Exchange {
	for _, met := range w.OnePerOperation() {
		operation := met.Review.Operation()
		if met.Object() == nil || operation == string(admissionv1.Connect) {
			continue
		}
		for _, s := range suspicions() {
			review := met.ReviewCopy()
			object := review.Object()
			if !s.change(object) {
				continue
			}
			ask := probe.RawRequest{Sample: met.Sample + " " + s.name,
				Review: review.Set("object", object), Wait: maxWait}
			if x := w.Do(ctx, ask); x.Answer != nil && x.Answer.Denies() {
				return x
			}
		}
	}
	return nil
}

// suspicion is a change to an object that policies often deny. The object
// remains valid.
type suspicion struct {
	name string
	// change changes the object. It reports whether there was something to
	// change.
	change func(object map[string]any) bool
}

func suspicions() []suspicion {
	return []suspicion{
		{"without labels and annotations", func(object map[string]any) bool {
			metadata, _ := object["metadata"].(map[string]any)
			had := metadata["labels"] != nil || metadata["annotations"] != nil
			delete(metadata, "labels")
			delete(metadata, "annotations")
			return had
		}},
		{"with an unknown image", eachContainer(func(c map[string]any) {
			c["image"] = "registry.invalid/unknown:latest"
		})},
		{"with privileged containers", eachContainer(func(c map[string]any) {
			c["securityContext"] = map[string]any{"privileged": true}
		})},
		{"without resources", eachContainer(func(c map[string]any) { delete(c, "resources") })},
	}
}

// eachContainer returns a function that changes all containers in an object,
// such as those in the template of a Deployment.
func eachContainer(change func(container map[string]any)) func(map[string]any) bool {
	var within func(object map[string]any) bool
	within = func(object map[string]any) bool {
		found := false
		containers, _ := object["containers"].([]any)
		for _, c := range containers {
			if container, ok := c.(map[string]any); ok {
				change(container)
				found = true
			}
		}
		for _, value := range object {
			if inner, ok := value.(map[string]any); ok && within(inner) {
				found = true
			}
		}
		return found
	}
	return within
}
