package handlers

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// imagePolicy is the policy for images.
type imagePolicy struct {
	// registries are the allowed prefixes of images.
	registries []string
}

// judge checks the images that the old pod does not have. So pods that are
// older than the policy can still be labelled, and lose their finalizers.
func (p imagePolicy) judge(q *question[corev1.Pod]) *answer {
	a := &answer{}
	all := imagesOf(q.object)
	if len(all) == 0 {
		return a
	}
	known := imagesOf(q.old)
	for _, image := range all {
		if !slices.Contains(known, image) {
			p.judgeImage(a, image)
		}
	}
	a.audit = map[string]string{"images": strings.Join(all, " ")}
	return a
}

func (p imagePolicy) judgeImage(a *answer, image string) {
	if !slices.ContainsFunc(p.registries, func(r string) bool { return strings.HasPrefix(image, r) }) {
		a.deny("image %q is not from %s", image, strings.Join(p.registries, " or "))
	}
	switch tag, pinned := tagOf(image); {
	case pinned: // the digest takes precedence over the tag
	case tag == "latest":
		a.deny("image %q is another one tomorrow: give it a version", image)
	default:
		a.warn("image %q has no digest: who can push may replace %s", image, tag)
	}
}

// imagesOf returns the images of all containers of a pod, without duplicates,
// in order.
func imagesOf(pod *corev1.Pod) []string {
	if pod == nil {
		return nil
	}
	var images []string
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		images = append(images, c.Image)
	}
	for _, c := range pod.Spec.EphemeralContainers {
		images = append(images, c.Image)
	}
	slices.Sort(images)
	return slices.Compact(images)
}

// tagOf returns the tag of an image, or "latest" if it has none, and whether a
// digest pins the image.
func tagOf(image string) (tag string, pinned bool) {
	image, _, pinned = strings.Cut(image, "@")
	// The colon of a registry's port is before the last slash.
	_, tag, _ = strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	if tag == "" {
		tag = "latest"
	}
	return tag, pinned
}
