package world

import (
	"fmt"
	"sync"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Asked is what a host's parts were asked for, each list in order. How often the
// authorizer is asked and namespaces are looked up is a promise in one direction only: see
// the deviations "checks" and "look-ups".
type Asked struct {
	// Authorizations are the checks of conditions, with user and all attributes.
	Authorizations []string
	// CachedNamespaces were looked up in the informer's cache, LiveNamespaces at the API
	// server.
	CachedNamespaces []string
	LiveNamespaces   []string
	// Conversions and Defaultings say from which kind to which.
	Conversions []string
	Defaultings []string
}

// with adds what the request's own parts were asked for.
func (a Asked) with(own Asked) Asked {
	a.Conversions, a.Defaultings = own.Conversions, own.Defaultings
	return a
}

// journal writes down what is asked, by many at once.
type journal struct {
	mu    sync.Mutex
	asked Asked
}

func (j *journal) add(list *[]string, format string, arguments ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	*list = append(*list, fmt.Sprintf(format, arguments...))
}

// take returns what was written and forgets it.
func (j *journal) take() Asked {
	j.mu.Lock()
	defer j.mu.Unlock()
	asked := j.asked
	j.asked = Asked{}
	return asked
}

// authorization writes a check down, behind the mark of the request that it is for, if there
// is one.
func (j *journal) authorization(a authorizer.Attributes) {
	who := a.GetUser()
	j.add(&j.asked.Authorizations, "%s%s: %s %q %q %q %q %q", markPrefix(markOfUser(who)), describe(a), who.GetName(), who.GetGroups(),
		a.GetAPIVersion(), a.GetNamespace(), a.GetName(), a.GetPath())
}

// markPrefix is what the checks of a request with a mark begin with.
func markPrefix(mark string) string {
	if mark == "" {
		return ""
	}
	return "#" + mark + " "
}
