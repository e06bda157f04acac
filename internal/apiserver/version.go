package apiserver

import (
	apimachineryversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/component-base/compatibility"
)

// release is the version of kube-apiserver whose behaviour the server has.
const release = "1.37.2"

// version is the version of the server. k8s.io/component-base returns a
// placeholder from /version when it is linked as a library, which kubectl
// cannot parse.
type version struct {
	compatibility.EffectiveVersion
}

func newVersion() version {
	return version{compatibility.NewEffectiveVersionFromString(release, "", "")}
}

// Info returns the content of /version.
func (v version) Info() *apimachineryversion.Info {
	info := v.EffectiveVersion.Info()
	info.GitVersion = "v" + release + "+gatehouse"
	info.GitCommit = ""
	info.GitTreeState = ""
	return info
}
