package webhooks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

const (
	// registry is the prefix that images must have.
	registry = "registry.example.com/"
	// delay is the response time of the slow webhook.
	delay = 3 * time.Second
)

// checkImages denies pods with images from other registries, naming all of
// them, and warns about each image that may change between two starts.
func checkImages(_ context.Context, pod *corev1.Pod) answer {
	var denials, warnings []string
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		if !strings.HasPrefix(c.Image, registry) {
			denials = append(denials,
				fmt.Sprintf("container %q: image %q is not from %s", c.Name, c.Image, registry))
		}
		if tag(c.Image) == "latest" {
			warnings = append(warnings,
				fmt.Sprintf("container %q: image %q has the tag latest and may change at any time", c.Name,
					c.Image))
		}
	}
	return answer{denial: strings.Join(denials, "; "), warnings: warnings}
}

// tag returns the tag of an image, or "latest" if it has none. It is empty for
// an image with a digest, which takes precedence over the tag.
func tag(image string) string {
	if strings.Contains(image, "@") {
		return ""
	}
	// The colon of a port is before the last slash.
	_, tag, found := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	if !found {
		return "latest"
	}
	return tag
}

// takeTime allows everything after a delay. It returns early if the client is
// gone.
func takeTime(ctx context.Context, _ *corev1.Pod) answer {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return answer{}
}
