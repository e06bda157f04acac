package fault

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/component-base/metrics/legacyregistry"

	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// send sends the request through the plugin once, and returns how long that may
// take.
func (h *host) send(ctx context.Context) (o Outcome, limit time.Duration, err error) {
	asked, err := h.row.Setup.request()
	if err != nil {
		return o, limit, err
	}
	limit = h.allowed(asked.Deadline.Duration)
	request, err := h.kinds.Request(asked, &scenario.Environment{})
	if err != nil {
		return o, limit, err
	}
	attributes := request.Attributes()
	before, err := json.Marshal(attributes.GetObject())
	if err != nil {
		return o, limit, err
	}
	ctx = audit.WithAuditContext(ctx)
	event := audit.AuditContextFrom(ctx)
	if err := event.Init(audit.RequestAuditConfig{Level: auditinternal.LevelRequest},
		nil); err != nil {
		return o, limit, err
	}
	limited, cancel := h.limit(
		warning.WithWarningRecorder(ctx, &warnings{to: &o}),
		asked.Deadline.Duration,
	)
	defer cancel()
	if !h.blind {
		legacyregistry.Reset()
	}
	start := time.Now()
	panicked, refused := h.admit(limited, attributes, request.Interfaces)
	o.Took = time.Since(start)
	o.judge(panicked, refused)
	if o.Metrics, err = h.series(); err != nil {
		return o, limit, err
	}
	after, err := json.Marshal(attributes.GetObject())
	if string(before) != string(after) {
		o.Object = string(after)
	}
	// A panic may have kept them from being written.
	harness.WriteAnnotations(ctx, attributes, request.Interfaces)
	o.Annotations = event.GetEventAnnotations()
	o.brief(h.placeholders())
	return o, limit, err
}

// limit gives a request its deadline, or cancels it.
func (h *host) limit(
	ctx context.Context, deadline time.Duration,
) (context.Context, context.CancelFunc) {
	cancelled := h.row.Setup.Cancel.Duration
	if deadline != 0 {
		return context.WithTimeout(ctx, deadline)
	}
	ctx, cancel := context.WithCancel(ctx)
	switch {
	case cancelled < 0:
		cancel()
	case cancelled > 0:
		stop := time.AfterFunc(cancelled, cancel).Stop
		return ctx, func() { stop(); cancel() }
	}
	return ctx, cancel
}

// allowed is how long the request may take.
func (h *host) allowed(deadline time.Duration) time.Duration {
	webhooks, err := h.row.Setup.webhooks("", h.server)
	if err != nil {
		return 0
	}
	var sum, longest time.Duration
	for _, w := range webhooks {
		timeout := 30 * time.Second // the client's
		if w.TimeoutSeconds != nil {
			timeout = max(0, time.Duration(*w.TimeoutSeconds)*time.Second)
		}
		sum, longest = sum+timeout, max(longest, timeout)
	}
	if h.phase == Validating {
		sum = longest
	}
	if h.row.Setup.Unsynced {
		sum = 10 * time.Second // the wait for informers
	}
	for _, limit := range []time.Duration{deadline, h.row.Setup.Cancel.Duration} {
		if limit != 0 {
			sum = min(sum, max(0, limit))
		}
	}
	return sum
}

func (h *host) admit(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) (panicked any, err error) {
	defer func() { panicked = recover() }()
	if h.phase == Mutating {
		return nil, h.plugin.(apiadmission.MutationInterface).Admit(ctx, a, o)
	}
	return nil, h.plugin.(apiadmission.ValidationInterface).Validate(ctx, a, o)
}

// judge sets the verdict of a run.
func (o *Outcome) judge(panicked any, err error) {
	status, ok := err.(apierrors.APIStatus)
	switch {
	case panicked != nil:
		o.Verdict, o.Message = Panicked, fmt.Sprint(panicked)
	case err == nil:
		o.Verdict = Allowed
	case !ok:
		o.Verdict, o.Message = Failed, err.Error()
	default:
		s := status.Status()
		o.Verdict, o.Code, o.Reason, o.Message = Denied, int(s.Code), string(s.Reason), s.Message
		if s.Details != nil {
			o.Details = encoded(s.Details)
		}
	}
}

// warnings are what clients would be sent.
type warnings struct {
	mu sync.Mutex
	to *Outcome
}

// AddWarning implements warning.Recorder.
func (w *warnings) AddWarning(_, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to.Warnings = append(w.to.Warnings, text)
}

// left are the labels that are the same in all rows, or in all of a kind.
var left = regexp.MustCompile(`(name|operation)="[^"]*",?`)

// series returns the metrics of webhooks and of match conditions in short.
func (h *host) series() ([]string, error) {
	if h.blind {
		return nil, nil
	}
	all, err := harness.Metrics()
	if err != nil {
		return nil, err
	}
	var kept []string
	for _, s := range all {
		s = strings.TrimPrefix(s, "apiserver_admission_")
		if strings.HasPrefix(s, "webhook_") || strings.HasPrefix(s, "match_condition_") {
			s = strings.NewReplacer(`"`, "", ",}", "}").Replace(left.ReplaceAllString(s, ""))
			kept = append(kept, s)
		}
	}
	slices.Sort(kept)
	return kept, nil
}
