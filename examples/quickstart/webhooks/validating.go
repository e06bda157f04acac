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
	// registry is where images have to come from.
	registry = "registry.example.com/"
	// delay is how long the slow webhook takes.
	delay = 3 * time.Second
)

// checkImages denies pods with images from other registries, naming all of
// them, and warns about each image that may change from one start to the next.
func checkImages(_ context.Context, pod *corev1.Pod) answer {
	var denials, warnings []string
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		if !strings.HasPrefix(c.Image, registry) {
			denials = append(denials, fmt.Sprintf("container %q: image %q is not from %s", c.Name, c.Image, registry))
		}
		if tag(c.Image) == "latest" {
			warnings = append(warnings, fmt.Sprintf("container %q: image %q has the tag latest and may change at any time", c.Name, c.Image))
		}
	}
	return answer{denial: strings.Join(denials, "; "), warnings: warnings}
}

// tag returns the tag of an image, which is "latest" when none is given. It is
// empty for an image with a digest: the digest decides, whatever the tag.
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

// takeTime allows everything, but late. It gives up when nobody waits for the
// answer any more.
func takeTime(ctx context.Context, _ *corev1.Pod) answer {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return answer{}
}
