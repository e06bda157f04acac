package embedding

import (
	"context"
	"errors"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/client-go/kubernetes"
)

const priorityName = "Priority"

// priority is a plugin in the tree of a server, before the mutating webhooks.
// As kube-apiserver's plugin of that name it gives new pods the priority of
// their class. A webhook that changes the class of a pod makes it run again.
type priority struct {
	*apiadmission.Handler
	client kubernetes.Interface
}

var (
	_ apiadmission.MutationInterface         = &priority{}
	_ initializer.WantsExternalKubeClientSet = &priority{}
)

// newPriority is a factory for apiadmission.Plugins.
func newPriority(io.Reader) (apiadmission.Interface, error) {
	return &priority{Handler: apiadmission.NewHandler(apiadmission.Create)}, nil
}

// SetExternalKubeClientSet implements initializer.WantsExternalKubeClientSet.
func (p *priority) SetExternalKubeClientSet(client kubernetes.Interface) { p.client = client }

// ValidateInitialization implements apiadmission.InitializationValidator.
func (p *priority) ValidateInitialization() error {
	if p.client == nil {
		return errors.New("the plugin has no client to read PriorityClasses with")
	}
	return nil
}

// Admit implements apiadmission.MutationInterface.
func (p *priority) Admit(ctx context.Context, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces) error {
	pod, ok := a.GetObject().(*corev1.Pod)
	if !ok || a.GetSubresource() != "" {
		return nil
	}
	value, err := p.value(ctx, pod.Spec.PriorityClassName)
	if err != nil {
		return apiadmission.NewForbidden(a, err)
	}
	if given := pod.Spec.Priority; given != nil && *given != value {
		return apiadmission.NewForbidden(a, fmt.Errorf("the pod has priority %d, and its class has %d", *given, value))
	}
	pod.Spec.Priority = &value
	return nil
}

// value is the priority of a class, which may be none.
func (p *priority) value(ctx context.Context, class string) (int32, error) {
	if class == "" {
		return 0, nil
	}
	found, err := p.client.SchedulingV1().PriorityClasses().Get(ctx, class, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return 0, fmt.Errorf("no PriorityClass with name %s was found", class)
	}
	if err != nil {
		return 0, fmt.Errorf("asking for PriorityClass %s: %w", class, err)
	}
	return found.Value, nil
}
