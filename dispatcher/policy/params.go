package policy

import (
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
)

// Params returns the params of policies.
type Params interface {
	// Informer returns an informer of a kind that has been started, and whether
	// the kind has namespaces. It is called from several goroutines. Evaluations wait up to a second until HasSynced
	// reports true; they use nothing else of the informer but its Lister. The
	// error says that there is no such kind.
	Informer(kind schema.GroupVersionKind) (informers.GenericInformer, meta.RESTScope, error)
}

// paramsOf returns the params of a policy, or kube-apiserver's error for params
// of a kind that it does not serve.
func paramsOf(params Params, k *registrationv1.ParamKind) (
	informers.GenericInformer, meta.RESTScope, error,
) {
	kind, err := parsedKind(k)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to parse paramKind APIVersion: %w", err)
	}
	if params != nil {
		if informer, scope, err := params.Informer(kind); err == nil {
			return informer, scope, nil
		}
	}
	return nil, nil, fmt.Errorf("failed to find resource referenced by paramKind: '%v'", kind)
}
