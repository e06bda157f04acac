package equivalence_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/equivalence"
	"example.com/gatehouse/internal/offline/session"
)

// handler returns why a request is denied, or a JSON patch; both empty to allow it.
type handler func(*admissionv1.AdmissionRequest) (denial, patch string)

// handlers are the webhooks of the pairs, by the name of their service.
var handlers = map[string]handler{
	"images": func(r *admissionv1.AdmissionRequest) (string, string) {
		for _, image := range imagesOf(r, true) {
			if !strings.HasPrefix(image, "registry.example.com/") {
				return "image from another registry", ""
			}
		}
		return "", ""
	},
	"latest": func(r *admissionv1.AdmissionRequest) (string, string) {
		for _, image := range imagesOf(r, false) {
			if strings.HasSuffix(image, ":latest") {
				return "images ending in :latest are rejected", ""
			}
		}
		return "", ""
	},
	"registry": func(r *admissionv1.AdmissionRequest) (string, string) {
		for _, image := range imagesOf(r, false) {
			if host, _, ok := strings.Cut(image, "/"); ok && strings.EqualFold(host, "evil.example.com") {
				return "a bad registry", ""
			}
		}
		return "", ""
	},
	"replicas": func(r *admissionv1.AdmissionRequest) (string, string) {
		var d struct{ Spec struct{ Replicas int32 } }
		decode(r.Object.Raw, &d)
		if d.Spec.Replicas > 10 {
			return "too many replicas", ""
		}
		return "", ""
	},
	"autoscalers": func(r *admissionv1.AdmissionRequest) (string, string) {
		var a autoscalingv1.HorizontalPodAutoscaler
		decode(r.Object.Raw, &a)
		if a.Spec.MaxReplicas > 20 {
			return "too many replicas", ""
		}
		return "", ""
	},
	"memory": func(r *admissionv1.AdmissionRequest) (string, string) {
		for _, c := range podOf(r).Containers {
			if c.Resources.Limits.Memory().Cmp(resource.MustParse("2Gi")) > 0 {
				return "too much memory", ""
			}
		}
		return "", ""
	},
	"privileged": func(r *admissionv1.AdmissionRequest) (string, string) {
		for _, c := range podOf(r).Containers {
			if s := c.SecurityContext; s != nil && s.Privileged != nil && *s.Privileged {
				return "privileged", ""
			}
		}
		return "", ""
	},
	"label": func(r *admissionv1.AdmissionRequest) (string, string) {
		var o metav1.PartialObjectMetadata
		decode(r.Object.Raw, &o)
		switch {
		case o.Labels == nil:
			return "", `[{"op":"add","path":"/metadata/labels","value":{"team":"none"}}]`
		case o.Labels["team"] == "" && !hasKey(o.Labels, "team"):
			return "", `[{"op":"add","path":"/metadata/labels/team","value":"none"}]`
		}
		return "", ""
	},
}

// moody returns a handler that denies every other request.
func moody() handler {
	var calls atomic.Int64
	return func(*admissionv1.AdmissionRequest) (string, string) {
		if calls.Add(1)%2 == 1 {
			return "not today", ""
		}
		return "", ""
	}
}

func hasKey(of map[string]string, key string) bool {
	_, ok := of[key]
	return ok
}

// podOf returns the pod or the pod template of a request.
func podOf(r *admissionv1.AdmissionRequest) corev1.PodSpec {
	if r.Kind.Kind == "Deployment" {
		var d appsv1.Deployment
		decode(r.Object.Raw, &d)
		return d.Spec.Template.Spec
	}
	var p corev1.Pod
	decode(r.Object.Raw, &p)
	return p.Spec
}

// imagesOf returns the images of the containers, or of all three lists.
func imagesOf(r *admissionv1.AdmissionRequest, all bool) []string {
	var images []string
	pod := podOf(r)
	for _, c := range pod.Containers {
		images = append(images, c.Image)
	}
	if !all {
		return images
	}
	for _, c := range pod.InitContainers {
		images = append(images, c.Image)
	}
	for _, c := range pod.EphemeralContainers {
		images = append(images, c.Image)
	}
	return images
}

// decode panics if the engine has sent what is no JSON.
func decode(text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		panic(err)
	}
}

// inProcess calls the handlers. moody is the one of its side.
type inProcess struct{ moody handler }

// Endpoint implements dispatcher.Client.
func (c inProcess) Endpoint(_ context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	h := handlers[w.ClientConfig.Service.Name]
	if w.ClientConfig.Service.Name == "moody" {
		h = c.moody
	}
	if h == nil {
		return nil, fmt.Errorf("no handler %q", w.ClientConfig.Service.Name)
	}
	return &dispatcher.Endpoint{
		URL: url.URL{Scheme: "https", Host: "handler"}, HTTP: &http.Client{Transport: h},
	}, nil
}

// RoundTrip implements http.RoundTripper.
func (h handler) RoundTrip(r *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var review admissionv1.AdmissionReview
	if err := json.Unmarshal(text, &review); err != nil {
		return nil, err
	}
	denial, patch := h(review.Request)
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: denial == ""}
	if denial != "" {
		review.Response.Result = &metav1.Status{Message: denial}
	}
	if patch != "" {
		review.Response.Patch, review.Response.PatchType = []byte(patch), new(admissionv1.PatchTypeJSONPatch)
	}
	review.Request = nil
	body, err := json.Marshal(review)
	return &http.Response{
		StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)), Header: http.Header{"Content-Type": {"application/json"}},
	}, err
}

// side returns a side with files and the handlers.
func side(t *testing.T, name string, files ...string) equivalence.Side {
	o := session.NewOptions()
	o.Configs, o.Client, o.Stderr = files, inProcess{moody()}, t.Output()
	return equivalence.Side{Name: name, Options: o}
}

// comparePair compares the two files of a folder.
func comparePair(t *testing.T, folder string, o equivalence.Options) *equivalence.Verdict {
	t.Helper()
	o.Deadline = -1
	v, err := equivalence.Compare(t.Context(), side(t, "before", filepath.Join(folder, "before.yaml")),
		side(t, "after", filepath.Join(folder, "after.yaml")), o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
