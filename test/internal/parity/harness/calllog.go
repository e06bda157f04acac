package harness

import (
	"fmt"
	"sync"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// HostCalls are the calls of a side to its host, each list in order. The number
// of authorizer checks and namespace look-ups may be smaller than upstream's:
// see the known differences "checks" and "look-ups".
type HostCalls struct {
	// Authorizations are the checks of conditions, with user and all
	// attributes.
	Authorizations []string
	// CachedNamespaces were looked up in the informer's cache, LiveNamespaces
	// at the API server.
	CachedNamespaces []string
	LiveNamespaces   []string
	// Conversions and Defaultings say from which kind to which.
	Conversions []string
	Defaultings []string
}

// with adds the calls to the request's own convertor and defaulter.
func (a HostCalls) with(own HostCalls) HostCalls {
	a.Conversions, a.Defaultings = own.Conversions, own.Defaultings
	return a
}

// callLog records HostCalls. It is safe for concurrent use.
type callLog struct {
	mu    sync.Mutex
	asked HostCalls
}

func (j *callLog) add(list *[]string, format string, arguments ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	*list = append(*list, fmt.Sprintf(format, arguments...))
}

// take returns what was written and forgets it.
func (j *callLog) take() HostCalls {
	j.mu.Lock()
	defer j.mu.Unlock()
	asked := j.asked
	j.asked = HostCalls{}
	return asked
}

// authorization writes a check down, behind the mark of the request that it is
// for, if there is one.
func (j *callLog) authorization(a authorizer.Attributes) {
	who := a.GetUser()
	j.add(&j.asked.Authorizations, "%s%s: %s %q %q %q %q %q", markPrefix(markOfUser(who)), describe(a),
		who.GetName(), who.GetGroups(),
		a.GetAPIVersion(), a.GetNamespace(), a.GetName(), a.GetPath())
}

// markPrefix is what the checks of a request with a mark begin with.
func markPrefix(mark string) string {
	if mark == "" {
		return ""
	}
	return "#" + mark + " "
}
