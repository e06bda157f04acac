package harness

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// inTree is a mutating plugin of the host, which records the objects it sees in
// the run.
type inTree struct {
	scenario.InTree
	name string
}

var _ apiadmission.MutationInterface = (*inTree)(nil)

func newInTree(all []scenario.InTree) []*inTree {
	plugins := make([]*inTree, len(all))
	for i := range all {
		plugins[i] = &inTree{InTree: all[i], name: fmt.Sprintf("InTree%d", i)}
	}
	return plugins
}

// Handles implements apiadmission.Interface.
func (*inTree) Handles(op apiadmission.Operation) bool {
	return op == apiadmission.Create || op == apiadmission.Update
}

// Admit implements apiadmission.MutationInterface.
func (t *inTree) Admit(
	ctx context.Context, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces,
) error {
	seen := hold(a.GetObject())
	x := runOf(ctx)
	x.saw = append(x.saw, fmt.Sprintf("%s reinvoked=%t %s %s", t.name, a.GetReinvocationContext().IsReinvoke(), seen.Type, seen.JSON))
	t.label(a)
	write(t.Writes, a.GetObject(), true)
	return t.prioritize(a)
}

func (t *inTree) label(a apiadmission.Attributes) {
	if len(t.SetLabels) == 0 || a.GetObject() == nil {
		return
	}
	object, err := meta.Accessor(a.GetObject())
	if err != nil {
		return // some requests have objects without metadata
	}
	labels := object.GetLabels()
	if _, has := labels[t.IfLabel]; t.IfLabel != "" && !has {
		return
	}
	set := map[string]string{}
	for key, value := range labels {
		set[key] = value
	}
	for key, value := range t.SetLabels {
		set[key] = value
	}
	object.SetLabels(set)
}

func (t *inTree) prioritize(a apiadmission.Attributes) error {
	pod, isPod := a.GetObject().(*corev1.Pod)
	if t.PriorityClasses == nil || !isPod || a.GetSubresource() != "" ||
		pod.Spec.PriorityClassName == "" {
		return nil
	}
	value, known := t.PriorityClasses[pod.Spec.PriorityClassName]
	if !known {
		return apiadmission.NewForbidden(a,
			fmt.Errorf("no PriorityClass with name %v was found", pod.Spec.PriorityClassName))
	}
	pod.Spec.Priority = &value
	return nil
}
