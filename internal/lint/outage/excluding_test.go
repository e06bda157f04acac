package outage_test

import (
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
)

// excluding returns the inventory with exclusions in force. The inventories share
// everything else.
func excluding(in *inventory.Inventory, exclusions []outage.Exclusion) *inventory.Inventory {
	out, set := *in, *in.Cluster
	set.Configurations = slices.Clone(set.Configurations)
	for i, c := range set.Configurations {
		set.Configurations[i] = c.DeepCopyObject()
	}
	for _, e := range exclusions {
		for _, c := range set.Configurations {
			exclude(c, e)
		}
	}
	out.Cluster = &set
	return &out
}

// exclude adds an exclusion to the configuration of its webhook.
func exclude(configuration runtime.Object, e outage.Exclusion) {
	switch c := configuration.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		for i, w := range admission.MutatingWebhooks(c) {
			if w.Phase == e.Webhook.Phase && w.UID == e.Webhook.UID {
				c.Webhooks[i].NamespaceSelector = notIn(c.Webhooks[i].NamespaceSelector, e.Namespace)
			}
		}
	case *registrationv1.ValidatingWebhookConfiguration:
		for i, w := range admission.ValidatingWebhooks(c) {
			if w.Phase == e.Webhook.Phase && w.UID == e.Webhook.UID {
				c.Webhooks[i].NamespaceSelector = notIn(c.Webhooks[i].NamespaceSelector, e.Namespace)
			}
		}
	}
}

// notIn adds to a selector that the namespace is not the given one.
func notIn(selector *metav1.LabelSelector, namespace string) *metav1.LabelSelector {
	if selector == nil {
		selector = &metav1.LabelSelector{}
	}
	selector.MatchExpressions = append(selector.MatchExpressions, metav1.LabelSelectorRequirement{
		Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpNotIn, Values: []string{namespace},
	})
	return selector
}
