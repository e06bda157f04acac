package webhooks_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestImages(t *testing.T) {
	t.Parallel()
	const mayChange = " has the tag latest and may change at any time"
	rows := []struct {
		name, why    string
		pod          *corev1.Pod
		wantDenial   string
		wantWarnings []string
	}{
		{
			name: "our registry",
			why:  "a tagged image from the right place is fine",
			pod:  newPod(nil, "registry.example.com/shop/web:1.4"),
		},
		{
			name:       "another registry",
			why:        "the message has to say which container and which image",
			pod:        newPod(nil, "registry.example.com/web:1.4", "docker.io/library/nginx:1.29"),
			wantDenial: `container "b": image "docker.io/library/nginx:1.29" is not from registry.example.com/`,
		},
		{
			name:       "a host that begins alike",
			why:        "the slash belongs to the prefix",
			pod:        newPod(nil, "registry.example.com.evil.test/web:1"),
			wantDenial: `container "a": image "registry.example.com.evil.test/web:1" is not from registry.example.com/`,
		},
		{
			name:         "two denials and a warning",
			why:          "a user should not have to find out one at a time; a short name has the tag latest",
			pod:          newPod(nil, "nginx", "redis:7"),
			wantDenial:   `container "a": image "nginx" is not from registry.example.com/; container "b": image "redis:7" is not from registry.example.com/`,
			wantWarnings: []string{`container "a": image "nginx"` + mayChange},
		},
		{
			name: "init container",
			why:  "it runs too",
			pod: &corev1.Pod{Spec: corev1.PodSpec{
				InitContainers: []corev1.Container{{Name: "setup", Image: "busybox:1"}},
			}},
			wantDenial: `container "setup": image "busybox:1" is not from registry.example.com/`,
		},
		{
			name:         "latest",
			why:          "allowed, but the user should know",
			pod:          newPod(nil, "registry.example.com/web:latest"),
			wantWarnings: []string{`container "a": image "registry.example.com/web:latest"` + mayChange},
		},
		{
			name: "latest with a digest",
			why:  "the digest pins the image",
			pod:  newPod(nil, "registry.example.com/web:latest@sha256:0123"),
		},
		{
			name:         "port without a tag",
			why:          "the colon of the port is not that of a tag",
			pod:          newPod(nil, "registry.example.com:5000/web"),
			wantDenial:   `container "a": image "registry.example.com:5000/web" is not from registry.example.com/`,
			wantWarnings: []string{`container "a": image "registry.example.com:5000/web"` + mayChange},
		},
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if row.why == "" || seen[row.name] {
			t.Fatalf("row %q: every row needs a unique name and a reason", row.name)
		}
		seen[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			want := &admissionv1.AdmissionResponse{UID: "some-uid", Allowed: row.wantDenial == "", Warnings: row.wantWarnings}
			if !want.Allowed {
				want.Result = &metav1.Status{Code: 403, Reason: metav1.StatusReasonForbidden, Message: row.wantDenial}
			}
			if diff := cmp.Diff(want, ask(t.Context(), t, "/images", row.pod)); diff != "" {
				t.Errorf("response (-want +got), %s:\n%s", row.why, diff)
			}
		})
	}
}

// TestSlow measures under a virtual clock, which advances when all goroutines
// wait.
func TestSlow(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, why string
		patience  time.Duration
		want      time.Duration
	}{
		{
			name:     "patient client",
			why:      "the answer takes three seconds and is yes",
			patience: time.Minute,
			want:     3 * time.Second,
		},
		{
			name:     "impatient client",
			why:      "no goroutine should wait for a client that has gone",
			patience: time.Second,
			want:     time.Second,
		},
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if row.why == "" || seen[row.name] {
			t.Fatalf("row %q: every row needs a unique name and a reason", row.name)
		}
		seen[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), row.patience)
				defer cancel()
				start := time.Now()
				func() {
					// The server drops the connection of a client that is gone.
					defer func() {
						if r := recover(); (r == http.ErrAbortHandler) != (ctx.Err() != nil) {
							t.Errorf("the handler ended with %v, and the client with %v", r, ctx.Err())
						}
					}()
					if response := ask(ctx, t, "/slow", newPod(nil, "one")); !response.Allowed {
						t.Errorf("denied: %v", response.Result)
					}
				}()
				if took := time.Since(start); took != row.want {
					t.Errorf("took %v, want %v: %s", took, row.want, row.why)
				}
			})
		})
	}
}
