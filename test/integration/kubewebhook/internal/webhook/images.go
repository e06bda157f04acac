package webhook

import (
	"context"
	"fmt"
	"slices"
	"strings"

	kwhlog "github.com/slok/kubewebhook/v2/pkg/log"
	kwhmodel "github.com/slok/kubewebhook/v2/pkg/model"
	kwhwebhook "github.com/slok/kubewebhook/v2/pkg/webhook"
	kwhvalidating "github.com/slok/kubewebhook/v2/pkg/webhook/validating"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// registry is where images have to come from.
	registry = "registry.example.com/"
	// keepLabel is on pods that cannot be deleted.
	keepLabel = "images.example.com/keep"
)

// newImages is static, in the words of kubewebhook: it is for pods.
func newImages(logger kwhlog.Logger) (kwhwebhook.Webhook, error) {
	return kwhvalidating.NewWebhook(kwhvalidating.WebhookConfig{
		ID:        "images",
		Obj:       &corev1.Pod{},
		Validator: kwhvalidating.ValidatorFunc(validate),
		Logger:    logger,
	})
}

func validate(
	_ context.Context,
	review *kwhmodel.AdmissionReview,
	object metav1.Object,
) (*kwhvalidating.ValidatorResult, error) {
	pod, ok := object.(*corev1.Pod)
	switch {
	case !ok:
		return &kwhvalidating.ValidatorResult{Valid: true}, nil
	case review.Operation == kwhmodel.OperationDelete:
		return deletion(pod), nil
	}
	return images(pod), nil
}

// deletion refuses to delete what is to be kept.
func deletion(pod *corev1.Pod) *kwhvalidating.ValidatorResult {
	if pod.Labels[keepLabel] != "" {
		return &kwhvalidating.ValidatorResult{
			Message: fmt.Sprintf("pod %q has the label %s", pod.Name, keepLabel),
		}
	}
	return &kwhvalidating.ValidatorResult{Valid: true}
}

// images refuses images from elsewhere, and warns of those that may change.
func images(pod *corev1.Pod) *kwhvalidating.ValidatorResult {
	result := &kwhvalidating.ValidatorResult{Valid: true}
	for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		switch {
		case !strings.HasPrefix(container.Image, registry):
			return &kwhvalidating.ValidatorResult{
				Message: fmt.Sprintf("image %q is not from %s", container.Image, registry),
			}
		case strings.HasSuffix(container.Image, ":latest"):
			result.Warnings = append(result.Warnings, fmt.Sprintf("image %q may change", container.Image))
		}
	}
	return result
}
