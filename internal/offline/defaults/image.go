package defaults

import (
	"regexp"

	corev1 "k8s.io/api/core/v1"
)

// The grammar of an image's name, from the inside out.
const (
	label     = `[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?`
	host      = `(?:` + label + `(?:\.` + label + `)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`
	component = `[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*`
	algorithm = `[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*`
)

// imageName matches a reference as a whole; its groups are the tag and the
// digest. It never changes.
var imageName = regexp.MustCompile(`^(?:` + host + `/)?` + component + `(?:/` + component + `)*` +
	`(?::([\w][\w.-]{0,127}))?(?:@(` + algorithm + `:[0-9a-fA-F]{32,}))?$`)

// imageID matches what is the ID of an image and cannot be its name.
var imageID = regexp.MustCompile(`^[a-f0-9]{64}$`)

// pullPolicy is the default imagePullPolicy: Always for the tag latest, which is that
// of an image without a tag and a digest, and otherwise IfNotPresent.
//
// Compat: what is no name of an image, such as the empty text or one with
// capitals in it, is pulled once. It is never an error.
func pullPolicy(image string) corev1.PullPolicy {
	groups := imageName.FindStringSubmatch(image)
	if groups == nil || imageID.MatchString(image) {
		return corev1.PullIfNotPresent
	}
	tag, digest := groups[1], groups[2]
	if tag == "latest" || tag == "" && digest == "" {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}
