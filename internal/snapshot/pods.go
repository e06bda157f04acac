package snapshot

import (
	"context"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// backends are the Services of webhooks, with the selectors of those that exist.
type backends map[identity]labels.Set

// addWebhooks remembers the Services. They are the same in both kinds of configurations.
func (b *backends) addWebhooks(object map[string]any) error {
	var c registrationv1.ValidatingWebhookConfiguration
	if err := decode(object, &c); err != nil {
		return err
	}
	if *b == nil {
		*b = backends{}
	}
	for i := range c.Webhooks {
		if s := c.Webhooks[i].ClientConfig.Service; s != nil {
			(*b)[identity{s.Namespace, s.Name}] = nil
		}
	}
	return nil
}

func (b *backends) addService(object map[string]any) error {
	var s corev1.Service
	if err := decode(object, &s); err != nil {
		return err
	}
	if id := (identity{s.Namespace, s.Name}); s.Spec.Selector != nil {
		if _, ok := (*b)[id]; ok {
			(*b)[id] = s.Spec.Selector
		}
	}
	return nil
}

// readPods reads the pods that answer for webhooks: not every one of them has a Deployment.
func (r *reader) readPods(ctx context.Context) error {
	done := map[target]bool{}
	gvr := schema.GroupVersionResource{Version: pods.versions[0], Resource: pods.Resource}
	for _, id := range sorted(r.backends) {
		selector := r.backends[id]
		t := target{
			GroupVersionResource: gvr, kind: pods.kind,
			namespace: id.namespace, selector: selector.String(),
		}
		if len(selector) == 0 || done[t] {
			continue
		}
		done[t] = true
		if err := r.readAll(ctx, &t, pods.Resource+".yaml", pods.status, nil); err != nil {
			return err
		}
	}
	return nil
}
