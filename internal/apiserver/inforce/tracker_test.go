package inforce

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func versioned(name, version string) *registrationv1.ValidatingWebhookConfiguration {
	return &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: version}}
}

// TestWaitsForAll has two handlers; the second one is slow.
func TestWaitsForAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := New()
		quick := f.track(validatingWebhooks, cache.ResourceEventHandlerFuncs{})
		slow := f.track(validatingWebhooks, cache.ResourceEventHandlerFuncs{})
		done := make(chan error, 1)
		go func() { done <- f.wait(t.Context(), validatingWebhooks, "a", 7) }()
		for _, step := range []struct {
			what string
			do   func()
		}{
			{"nothing", func() {}},
			{"one of two handlers", func() { quick.OnAdd(versioned("a", "7"), false) }},
			{"an older version", func() { slow.OnAdd(versioned("a", "6"), true) }},
			{"another object", func() { slow.OnAdd(versioned("b", "9"), true) }},
		} {
			step.do()
			synctest.Wait()
			select {
			case err := <-done:
				t.Fatalf("%s was enough (%v)", step.what, err)
			default:
			}
		}
		slow.OnUpdate(versioned("a", "6"), versioned("a", "8"))
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestComesAfterHandlers: a version is recorded after its handler has returned.
func TestComesAfterHandlers(t *testing.T) {
	t.Parallel()
	f := New()
	known := func(version uint64) bool {
		ok, _ := f.processed(services, "shop/web", version)
		return ok
	}
	var early []string
	note := func(what string, version uint64) {
		if known(version) {
			early = append(early, what)
		}
	}
	h := f.track(services, cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { note("add", 1) },
		UpdateFunc: func(any, any) { note("update", 2) },
		DeleteFunc: func(any) { note("delete", 3) },
	})
	service := func(version string) *corev1.Service {
		return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: version}}
	}
	h.OnAdd(service("1"), false)
	h.OnUpdate(service("1"), service("2"))
	h.OnDelete(service("3"))
	if len(early) > 0 || !known(3) {
		t.Errorf("reported before its time: %v; at the end known: %v", early, known(3))
	}
	// A tombstone has no version.
	h.OnDelete(cache.DeletedFinalStateUnknown{Key: "shop/web"})
	if known(4) {
		t.Error("a tombstone was recorded as a version")
	}
}

func TestGivesUp(t *testing.T) {
	t.Parallel()
	f := New()
	f.track(mutatingWebhooks, cache.ResourceEventHandlerFuncs{})
	ctx, cancel := context.WithCancelCause(t.Context())
	late := errors.New("late")
	cancel(late)
	if err := f.wait(ctx, mutatingWebhooks, "a", 1); !errors.Is(err, late) {
		t.Errorf("got %v, want %v", err, late)
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		path string
		want int
		text string
	}
	const form = "want /gatehouse/inforce/RESOURCE/NAME?resourceVersion=N or /gatehouse/inforce/RESOURCE/NAMESPACE/NAME?resourceVersion=N, where RESOURCE is one of ["
	testtable.Run(t, []test{
		{row{"no handlers", "a server without plugins has nothing to wait for"}, "mutatingwebhookconfigurations/a?resourceVersion=1", http.StatusOK, "ok"},
		{row{"other resource", "they are not tracked"}, "pods/shop/a?resourceVersion=1", http.StatusBadRequest, form},
		{row{"no name", "all of them are never in force"}, "services?resourceVersion=1", http.StatusBadRequest, form},
		{row{"no version", "any version would be an answer to nothing"}, "services/shop/a", http.StatusBadRequest, form},
		{row{"no number", "versions are compared"}, "services/shop/a?resourceVersion=x", http.StatusBadRequest, form},
		{row{"late", "the server ends requests that take too long"}, "services/shop/late?resourceVersion=1", http.StatusGatewayTimeout, `Timeout: services "shop/late" is not in force in version 1: context canceled`},
	}, func(t *testing.T, r test) {
		tracker := New()
		ctx, cancel := context.WithCancel(t.Context())
		if r.want == http.StatusGatewayTimeout {
			tracker.track(services, cache.ResourceEventHandlerFuncs{})
			cancel()
		}
		defer cancel()
		answer := httptest.NewRecorder()
		tracker.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, http.MethodGet, Path+r.path, nil))
		text := answer.Body.String()
		if r.want != http.StatusOK {
			var status metav1.Status
			if err := json.Unmarshal(answer.Body.Bytes(), &status); err != nil || status.Kind != "Status" || int(status.Code) != r.want {
				t.Errorf("%s is no Status with code %d (%v)", text, r.want, err)
			}
			text = status.Message
		}
		if answer.Code != r.want || !strings.HasPrefix(text, r.text) {
			t.Errorf("got %d %q, want %d and %q", answer.Code, text, r.want, r.text)
		}
	})
}
