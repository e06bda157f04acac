package webhook

import (
	"context"
	"fmt"
	"slices"

	kwhlog "github.com/slok/kubewebhook/v2/pkg/log"
	kwhmodel "github.com/slok/kubewebhook/v2/pkg/model"
	kwhwebhook "github.com/slok/kubewebhook/v2/pkg/webhook"
	kwhmutating "github.com/slok/kubewebhook/v2/pkg/webhook/mutating"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// teamLabel says which team an object belongs to.
const teamLabel = "images.example.com/team"

// newLabels is dynamic, in the words of kubewebhook: without Obj, it is for any
// kind.
func newLabels(logger kwhlog.Logger) (kwhwebhook.Webhook, error) {
	return kwhmutating.NewWebhook(kwhmutating.WebhookConfig{
		ID:      "labels",
		Mutator: kwhmutating.MutatorFunc(label),
		Logger:  logger,
	})
}

// label has objects belong to the team that their namespace is called after, if
// they have no team, and refuses teams that there are none of:
// kubewebhook's mutators do so by an error.
func label(
	_ context.Context,
	review *kwhmodel.AdmissionReview,
	object metav1.Object,
) (*kwhmutating.MutatorResult, error) {
	labels := object.GetLabels()
	switch team, labelled := labels[teamLabel]; {
	case labelled && !slices.Contains([]string{"shop", "carts"}, team):
		return nil, fmt.Errorf("there is no team %q", team)
	case labelled:
		return &kwhmutating.MutatorResult{}, nil
	}
	if labels == nil {
		labels = map[string]string{}
	}
	labels[teamLabel] = review.Namespace
	object.SetLabels(labels)
	return &kwhmutating.MutatorResult{MutatedObject: object}, nil
}
