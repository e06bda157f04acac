package webhooks

import (
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
)

const (
	// registry is the prefix that images must have.
	registry = "registry.example.com/"
	// keepLabel is the label that protects a pod from deletion if its value is
	// "yes".
	keepLabel = "keep"
	// longestWarning is the length to which kube-apiserver may cut a warning.
	longestWarning = 256
)

// judge applies the policy to a request.
func judge(q *question) *verdict {
	switch {
	case q.exec != nil:
		return judgeCommand(q.exec)
	case q.Operation == admissionv1.Delete:
		return judgeDeletion(q.old)
	case q.pod != nil:
		return judgeImages(q.pod, q.old)
	}
	return &verdict{}
}

// judgeCommand allows every command, and records it.
func judgeCommand(exec *corev1.PodExecOptions) *verdict {
	return &verdict{annotations: map[string]string{"command": strings.Join(exec.Command, " ")}}
}

// judgeDeletion denies the deletion of protected pods. Servers before v1.15 do
// not send the pod.
func judgeDeletion(pod *corev1.Pod) *verdict {
	if pod == nil || pod.Labels[keepLabel] != "yes" {
		return &verdict{}
	}
	return &verdict{denial: fmt.Sprintf("pod %q is kept: take the label %s off first", pod.Name,
		keepLabel)}
}

// judgeImages checks the images that the old pod does not have. So pods that
// are older than the policy can still be changed, and lose their finalizers.
func judgeImages(pod, old *corev1.Pod) *verdict {
	var denials, warnings []string
	known := images(old)
	for _, image := range images(pod) {
		if slices.Contains(known, image) {
			continue
		}
		if !strings.HasPrefix(image, registry) {
			denials = append(denials, fmt.Sprintf("image %q is not from %s", image, registry))
		}
		if isLatest(image) {
			warnings = append(warnings, shorten(fmt.Sprintf("image %q may be another one tomorrow", image)))
		}
	}
	return &verdict{
		denial:      strings.Join(denials, "; "),
		warnings:    warnings,
		annotations: map[string]string{"images": strings.Join(images(pod), " ")},
	}
}

// images returns the images of all containers, without duplicates.
func images(pod *corev1.Pod) []string {
	if pod == nil {
		return nil
	}
	var all []string
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		all = append(all, c.Image)
	}
	for _, c := range pod.Spec.EphemeralContainers {
		all = append(all, c.Image)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// isLatest reports whether an image has the tag latest, or neither tag nor
// digest. A digest takes precedence over the tag.
func isLatest(image string) bool {
	if strings.Contains(image, "@") {
		return false
	}
	// The colon of a port is before the last slash.
	_, tag, found := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	return !found || tag == "latest"
}

// shorten truncates a warning to longestWarning.
func shorten(warning string) string {
	if letters := []rune(warning); len(letters) > longestWarning {
		return string(letters[:longestWarning-1]) + "…"
	}
	return warning
}
