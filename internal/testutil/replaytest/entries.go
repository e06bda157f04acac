package replaytest

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"os"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/offline/session"
)

// Entries returns the creation of n pods, about 4 KB each, recorded with the
// manifests. There are 1,000 different ones; the IDs of all are different.
func Entries(
	ctx context.Context, manifests string, n int,
) (iter.Seq2[*corpus.Entry, error], error) {
	recorded, err := record(ctx, manifests, min(n, 1000))
	if err != nil {
		return nil, err
	}
	return func(yield func(*corpus.Entry, error) bool) {
		for i := range n {
			e := *recorded[i%len(recorded)]
			e.ID = ID(i)
			if !yield(&e, nil) {
				return
			}
		}
	}, nil
}

// ID returns the ID of an entry. Their order is not that of the corpus.
func ID(i int) string { return fmt.Sprintf("%08x-%d", uint32(i)*2654435761, i) }

func record(ctx context.Context, manifests string, n int) ([]*corpus.Entry, error) {
	o := session.NewOptions()
	o.Configs, o.Stdin = []string{"-"}, strings.NewReader(manifests+namespaces())
	o.Optional, o.Trace, o.Stderr, o.Client = true, true, os.Stderr, client.InProcess(handler)
	s, err := session.Prepare(o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var all []*corpus.Entry
	for i := range n {
		e, err := recordPod(ctx, s, i)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// namespaces returns the namespaces of the pods.
func namespaces() (all string) {
	for i := range 10 {
		all += fmt.Sprintf("---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop-%d, labels: {team: shop}}\n", i)
	}
	return all
}

// recordPod returns the entry of the creation of a pod.
func recordPod(ctx context.Context, s *session.Session, i int) (*corpus.Entry, error) {
	r, err := request.Create(request.Endpoint{
		Resource: corev1.SchemeGroupVersion.WithResource("pods"),
		Kind:     corev1.SchemeGroupVersion.WithKind("Pod"), Namespaced: true,
	}, pod(i), request.By{User: authenticationv1.UserInfo{Username: fmt.Sprintf("user-%d", i%5)}})
	if err != nil {
		return nil, err
	}
	result, err := s.AdmitRequest(ctx, r)
	if err != nil {
		return nil, err
	}
	result.Response.Began = time.Time{}
	return corpus.FromResponse(result.Response, corpus.Options{Source: corpus.FromRun, ID: "-"})
}

// pod returns a pod with three containers, as a team writes them.
func pod(i int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: fmt.Sprintf("web-%d", i), Namespace: fmt.Sprintf("shop-%d", i%10),
		Labels: map[string]string{
			"app": "web", "app.kubernetes.io/name": "web", "app.kubernetes.io/part-of": "shop", "team": "checkout",
		},
		Annotations: map[string]string{"prometheus.io/scrape": "true", "prometheus.io/port": "9090"},
	}}
	for _, name := range []string{"web", "proxy", "logs"} {
		p.Spec.Containers = append(p.Spec.Containers, container(name, i))
	}
	return p
}

func container(name string, i int) corev1.Container {
	probe := &corev1.Probe{
		PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3,
		ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/healthz",
			Port: intstr.FromInt32(8080), Scheme: corev1.URISchemeHTTP}},
	}
	needs := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"),
		corev1.ResourceMemory: resource.MustParse("256Mi")}
	c := corev1.Container{
		Name: name, Image: fmt.Sprintf("registry.example.com/shop/%s:1.%d.0", name, i%100),
		Args:           []string{"--listen=:8080", "--config=/etc/web/config.yaml", "--log-level=info"},
		Ports:          []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}},
		Resources:      corev1.ResourceRequirements{Requests: needs, Limits: needs},
		ReadinessProbe: probe, LivenessProbe: probe,
		TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		ImagePullPolicy: corev1.PullIfNotPresent,
		SecurityContext: &corev1.SecurityContext{
			RunAsNonRoot: new(true), AllowPrivilegeEscalation: new(false), ReadOnlyRootFilesystem: new(true),
		},
	}
	for _, env := range []string{"DATABASE_URL", "CACHE_URL", "QUEUE_URL", "REGION", "TRACING"} {
		c.Env = append(c.Env, corev1.EnvVar{Name: env, Value: "value-of-" + env})
	}
	return c
}

// handler returns the webhooks.
func handler(w *admission.Webhook) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, q *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(q.Body).Decode(&review); err != nil || review.Request == nil {
			http.Error(out, "want an AdmissionReview", http.StatusBadRequest)
			return
		}
		review.Response = respond(w, review.Request)
		review.Request = nil
		out.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(out).Encode(&review) // a failed write shows in the record of the call
	})
}

func respond(w *admission.Webhook, q *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	r := &admissionv1.AdmissionResponse{UID: q.UID, Allowed: true}
	switch {
	case w.Phase == admission.Mutating:
		label := strings.TrimSuffix(w.Name, ".example.com")
		r.Patch = fmt.Appendf(nil, `[{"op":"add","path":"/metadata/labels/%s","value":"yes"}]`, label)
		r.PatchType = new(admissionv1.PatchTypeJSONPatch)
	case w.Configuration == "hook-03" && strings.HasSuffix(q.Name, "7"):
		r.Allowed = false
		r.Result = &metav1.Status{Message: "the name ends in 7", Code: http.StatusForbidden}
	}
	return r
}
