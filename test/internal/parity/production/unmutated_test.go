package production

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/audit"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/parity/harness"
)

// mirrored is the label that the webhook adds.
const mirrored = "mirrored"

// mirror adds the label.
func mirror(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{
		Allowed: true, PatchType: new(admissionv1.PatchTypeJSONPatch),
		Patch: []byte(`[{"op": "add", "path": "/metadata/labels", "value": {"` + mirrored + `": "yes"}}]`),
	}
}

// ignoring has one webhook that mutates pods, with failurePolicy Ignore.
func ignoring(client registrationv1.WebhookClientConfig) *registrationv1.MutatingWebhookConfiguration {
	validating := configuration(client, 5).Webhooks[0]
	return &registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: configurationName},
		Webhooks: []registrationv1.MutatingWebhook{{
			Name: validating.Name, ClientConfig: validating.ClientConfig, Rules: validating.Rules,
			FailurePolicy: new(registrationv1.Ignore), MatchPolicy: validating.MatchPolicy,
			NamespaceSelector: validating.NamespaceSelector, ObjectSelector: validating.ObjectSelector,
			SideEffects: validating.SideEffects, TimeoutSeconds: validating.TimeoutSeconds,
			AdmissionReviewVersions: validating.AdmissionReviewVersions,
			ReinvocationPolicy:      new(registrationv1.NeverReinvocationPolicy),
		}},
	}
}

// mutate admits a pod. The error also says that the webhook has not mutated it, with
// the webhook that the audit event names as failed.
func mutate(ctx context.Context, p apiadmission.MutationInterface, r *harness.Request) error {
	attributes := r.Attributes()
	if err := p.Admit(ctx, attributes, r.Interfaces); err != nil {
		return err
	}
	pod, err := meta.Accessor(attributes.GetObject())
	if err != nil || pod.GetLabels()[mirrored] != "" {
		return err
	}
	ctx = audit.WithAuditContext(ctx)
	event := audit.AuditContextFrom(ctx)
	_ = event.Init(audit.RequestAuditConfig{Level: auditinternal.LevelMetadata}, nil)
	harness.WriteAnnotations(ctx, attributes, r.Interfaces)
	failed := event.GetEventAnnotations()["failed-open.mutation.webhook.admission.k8s.io/round_0_index_0"]
	return fmt.Errorf("the pod is unmutated, because of %s", failed)
}

// records are those of calls that failed, and did not reject their pods.
type records struct {
	mu    sync.Mutex
	calls []admission.Call
}

// RecordMatch implements dispatcher.Recorder.
func (*records) RecordMatch(context.Context, *admission.Match) {}

// RecordCall implements dispatcher.Recorder.
func (r *records) RecordCall(_ context.Context, c *admission.Call) {
	if c.Outcome != admission.FailedOpen {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, *c)
}

type unmutatedRow struct {
	row
	life life
	// published is the percentage of pods that the webhook has not mutated.
	published float64
}

// unmutatedRows are those of open-policy-agent/gatekeeper#3776: pods that are
// created while nodes are replaced, and with them the three replicas of a webhook
// whose failurePolicy is Ignore. A replica is ready before it opens its port, and
// closes it with SIGTERM; with the change that followed, neither is so. The
// publication gives no times. Here a replica is replaced every 50 seconds, the API
// server knows about it 2 seconds later, and 5 pods are created in a second.
var unmutatedRows = []unmutatedRow{
	{row{"published", "calls are refused after SIGTERM, and before the port is open"},
		life{late: late, start: 10 * time.Second, deaf: late + time.Second, drain: true}, 2},
	{row{"mended", "ready is who serves, and who gets SIGTERM serves on"},
		life{late: late, start: 10 * time.Second, preStop: late + time.Second/2, drain: true}, 0},
}

// TestUnmutated: the share of pods that the webhook has not mutated is as published,
// within five points, gatehouse's is not larger than kube-apiserver's, and its records
// have each of them with the reason.
func TestUnmutated(t *testing.T) {
	testtable.Run(t, unmutatedRows, func(t *testing.T, r unmutatedRow) {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t, r.life, 3)
			s.answer = mirror
			tallies := callAll(t, s, true, load{callers: callers, every: 800 * time.Millisecond}, func() {
				time.Sleep(between)
				for _, old := range s.known() {
					start := time.Now()
					s.remove(old)
					s.add(t)
					time.Sleep(50*time.Second - time.Since(start))
				}
			})
			for w, tally := range tallies {
				if math.Abs(tally.share()-r.published) > 5 || r.published == 0 && tally.failed > 0 {
					t.Errorf("%v: %.1f %% of the pods are unmutated, published: %v %%", w, tally.share(), r.published)
				}
				if tally.err != nil && !strings.HasSuffix(tally.err.Error(), "because of hook.example.com") {
					t.Errorf("%v: the audit event does not name the webhook: %v", w, tally.err)
				}
			}
			ours, theirs := tallies[gatehouse], tallies[upstream]
			if ours.failed > theirs.failed+callers || (theirs.failed == 0) != (r.published == 0) {
				t.Errorf("%d pods are unmutated, and %d of kube-apiserver's", ours.failed, theirs.failed)
			}
			ours.seen.check(t, ours.failed)
		})
	})
}

// check requires a record of each unmutated pod, with the reason.
func (r *records) check(t *testing.T, unmutated int) {
	t.Helper()
	if len(r.calls) != unmutated {
		t.Errorf("%d records of calls that failed open, want one of each of %d pods", len(r.calls), unmutated)
	}
	for _, c := range r.calls {
		if hint := explain.CallHint(&c); !strings.HasPrefix(hint, "nothing listens at ") {
			t.Errorf("%v: the hint is %q", c.Err, hint)
		}
	}
}
