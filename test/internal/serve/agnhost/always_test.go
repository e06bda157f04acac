package agnhost_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/serve/agnhost"
)

func TestAlwaysDeny(t *testing.T) {
	t.Parallel()
	want := denied("this webhook denies all requests")
	ask(t, []asked{
		{row{"create", "A-01"}, "/always-deny", `"operation":"CREATE","object":{}`, want},
		{row{"nothing said", "it does not look"}, "/always-deny", `"name":""`, want},
	})
}

// TestAllowLate: with a virtual clock both versions take five seconds, A-02.
func TestAllowLate(t *testing.T) {
	t.Parallel()
	want := admissionv1.AdmissionResponse{Allowed: true, Result: &metav1.Status{Message: "this webhook allows all requests"}}
	late := asked{path: "/always-allow-delay-5s", request: `"operation":"CREATE"`, want: want}
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		converse(t, agnhost.New(""), "admission.k8s.io/v1", late)
		converse(t, agnhost.New(""), "admission.k8s.io/v1beta1", late)
		if took := time.Since(begin); took != 10*time.Second {
			t.Errorf("both took %s, want 10s", took)
		}
	})
}

// TestHangUp: webhooks stop waiting when the client disconnects.
func TestHangUp(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		path, request string
	}
	testtable.Run(t, []test{
		{row{"late", "A-02"}, "/always-allow-delay-5s", `"operation":"CREATE"`},
		{row{"never", "A-04: only so does it end"}, "/pods", pods + `"object":{"metadata":{"labels":{"webhook-e2e-test":"wait-forever"}}}`},
	}, func(t *testing.T, r test) {
		synctest.Test(t, func(t *testing.T) {
			const patience = time.Second
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			request := httptest.NewRequestWithContext(ctx, http.MethodPost, r.path, strings.NewReader(review("admission.k8s.io/v1", r.request)))
			request.Header.Set("Content-Type", "application/json")
			begin := time.Now()
			agnhost.New("").ServeHTTP(httptest.NewRecorder(), request)
			if took := time.Since(begin); took != patience {
				t.Errorf("it took %s, want %s", took, patience)
			}
		})
	})
}
