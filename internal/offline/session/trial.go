package session

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/matching"
)

// Inputs returns what was read of the files, read-only.
func (s *Session) Inputs() *cluster.Set { return s.cluster }

// Kinds returns the built-in kinds and those of the inputs.
func (s *Session) Kinds() *kinds.Registry { return s.kinds }

// Maker returns a maker of requests that are not among the inputs, with the
// namespace and the user of the options.
func (s *Session) Maker() (*requests.Maker, error) {
	merger, err := merge.New(s.objects, s.cluster.Definitions...)
	if err != nil {
		return nil, fmt.Errorf("preparing to merge objects: %w", err)
	}
	return requests.New(s.kinds, merger, s.settings), nil
}

// Run sends a request through the webhooks that is not among the inputs. It may be
// called concurrently if there are no injected faults and no trace.
func (s *Session) Run(ctx context.Context, made *requests.Made) (*Result, error) {
	return s.admit(ctx, made)
}

// otherNamespaces are the labels of the namespaces in the inputs, and of others.
type otherNamespaces struct {
	matching.Namespaces
	other func(context.Context, string) *corev1.Namespace
}

// Labels implements matching.Namespaces.
func (n otherNamespaces) Labels(ctx context.Context, name string) (map[string]string, error) {
	labels, err := n.Namespaces.Labels(ctx, name)
	if n.other == nil || !apierrors.IsNotFound(err) {
		return labels, err
	}
	ns := n.other(ctx, name)
	if ns == nil {
		return nil, err
	}
	all := map[string]string{corev1.LabelMetadataName: name}
	for key, value := range ns.Labels {
		if key != corev1.LabelMetadataName {
			all[key] = value
		}
	}
	return all, nil
}
