package dispatcher_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// reviewRow is a request; what the webhook receives is in testdata/review.
type reviewRow struct {
	row
	request  request
	versions []string
}

// TestReviews shows the whole HTTP request with its headers (S-271): nothing
// but the uid may differ from phase to phase.
func TestReviews(t *testing.T) {
	t.Parallel()
	testtable.Run(t, slices.Concat(operationRows(), detailRows()), func(t *testing.T, tc reviewRow) {
		mutating, validating := tc.received(t, admission.Mutating), tc.received(t, admission.Validating)
		if mutating != validating {
			t.Errorf("mutating and validating webhooks receive different reviews:\n%s\n%s", mutating, validating)
		}
		matchFile(t, mutating, "review", strings.ReplaceAll(tc.Name(), " ", "_")+".txt")
	})
}

var uidMember = regexp.MustCompile(`"request":\{"uid":"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"`)

func (tc *reviewRow) received(t *testing.T, phase admission.Phase) string {
	t.Helper()
	var received string
	s := one(phase, func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		received = dump(r, body)
		return nil, err
	}, ignoring, func(w *admission.Webhook) {
		if tc.versions != nil {
			w.AdmissionReviewVersions = tc.versions
		}
	})
	s.request = tc.request
	s.run(t.Context(), t, phase)
	return uidMember.ReplaceAllString(received, `"request":{"uid":"UID"`)
}

// dump returns a request as text, with its headers in order.
func dump(r *http.Request, body []byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\nContent-Length: %d\n", r.Method, r.URL, r.ContentLength)
	var headers []string
	for key, values := range r.Header {
		headers = append(headers, fmt.Sprintf("%s: %s\n", key, strings.Join(values, ", ")))
	}
	slices.Sort(headers)
	fmt.Fprintf(&b, "%s\n%s", strings.Join(headers, ""), body)
	return b.String()
}

// operationRows are one request of each operation.
func operationRows() []reviewRow {
	kindOf := func(name string) metav1.TypeMeta {
		return metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: name}
	}
	deleting := deletion()
	deleting.options = &metav1.DeleteOptions{TypeMeta: kindOf("DeleteOptions"), GracePeriodSeconds: new(int64)}
	return []reviewRow{{
		row:     row{"create", "S-212, S-216: the order of the members, the absent old object as null, the options with their kind"},
		request: request{object: pod("app", "web"), options: &metav1.CreateOptions{TypeMeta: kindOf("CreateOptions")}},
	}, {
		row: row{"update", "S-217: both objects"},
		request: request{
			operation: apiadmission.Update, object: pod("app", "new"), old: pod("app", "old"),
			options: &metav1.UpdateOptions{TypeMeta: kindOf("UpdateOptions"), FieldManager: "me"},
		},
	}, {
		row:     row{"delete", "S-217: only the old object"},
		request: deleting,
	}, {
		row: row{"connect", "S-216, S-217: the object is the options of the connection, the options are null"},
		request: request{
			operation: apiadmission.Connect, subresource: "exec", resource: podResource,
			kind:   corev1.SchemeGroupVersion.WithKind("PodExecOptions"),
			object: execOptions(),
		},
	}}
}

func execOptions() runtime.Object {
	return &corev1.PodExecOptions{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodExecOptions"}, Container: "main", Command: []string{"ls"},
	}
}

// detailRows are requests that differ in one member.
func detailRows() []reviewRow {
	generated := pod()
	generated.Name, generated.GenerateName = "", "web-"
	return []reviewRow{{
		row:     row{"generated name", "S-215: the name is absent while it is not known"},
		request: request{nameless: true, object: generated},
	}, {
		row:     row{"dry run", "S-202: the review has dryRun"},
		request: request{dryRun: true},
	}, {
		row:     row{"subresource", "S-213: it is there twice, once as it was asked for"},
		request: request{operation: apiadmission.Update, subresource: "status", old: pod()},
	}, {
		row:     row{"v1beta1", "S-218: the older version has the same members"},
		request: request{}, versions: []string{"v1beta1", "v1"},
	}, {
		row:     row{"unknown versions first", "S-210: the first version that is known is taken"},
		request: request{}, versions: []string{"v3", "v2", "v1", "v1beta1"},
	}}
}

func TestEveryCallHasItsOwnUID(t *testing.T) {
	t.Parallel()
	s := &testRequest{backends: backends{"a": allow(), "b": allow()}}
	s.webhooks = []*admission.Webhook{hook(admission.Mutating, "a"), hook(admission.Mutating, "b")}
	r := s.run(t.Context(), t, admission.Mutating)
	// S-211
	if len(r.calls) != 2 || r.calls[0].UID == "" || r.calls[0].UID == r.calls[1].UID {
		t.Errorf("want two calls with uids of their own, got %+v", r.calls)
	}
	for _, c := range r.calls {
		if c.Duration <= 0 {
			t.Errorf("%s took %v", c.Webhook.Name, c.Duration)
		}
	}
}
