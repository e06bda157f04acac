package apiserver

import (
	apimachineryversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/component-base/compatibility"
)

// release is the kube-apiserver that the server behaves like.
const release = "1.37.2"

// version is the version of the server. It differs from k8s.io/component-base's
// in what /version says: a library does not know the tag that it was built from,
// and kubectl stumbles over the placeholder that stands for it.
type version struct {
	compatibility.EffectiveVersion
}

func newVersion() version {
	return version{compatibility.NewEffectiveVersionFromString(release, "", "")}
}

// Info returns what /version says.
func (v version) Info() *apimachineryversion.Info {
	info := v.EffectiveVersion.Info()
	info.GitVersion = "v" + release + "+gatehouse"
	info.GitCommit = ""
	info.GitTreeState = ""
	return info
}
