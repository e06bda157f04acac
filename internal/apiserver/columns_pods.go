package apiserver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func podColumns() []column {
	return append(aged(
		text("Ready", func(p *corev1.Pod) string {
			return fmt.Sprintf("%d/%d", len(ready(p.Status.ContainerStatuses)), len(p.Spec.Containers))
		}),
		text("Status", podStatus),
		text("Restarts", restarts),
	), wide(
		text("IP", func(p *corev1.Pod) string { return cmp.Or(p.Status.PodIP, none) }),
		text("Node", func(p *corev1.Pod) string { return cmp.Or(p.Spec.NodeName, none) }),
		text("Nominated Node", func(p *corev1.Pod) string { return cmp.Or(p.Status.NominatedNodeName, none) }),
		text("Readiness Gates", readinessGates),
	)...)
}

func ready(statuses []corev1.ContainerStatus) []corev1.ContainerStatus {
	return slices.DeleteFunc(slices.Clone(statuses), func(s corev1.ContainerStatus) bool { return !s.Ready })
}

// podStatus says what a pod is up to in one word: that of the first container that
// has trouble, or else the pod's own.
func podStatus(p *corev1.Pod) string {
	if p.DeletionTimestamp != nil {
		return "Terminating"
	}
	for i, s := range p.Status.InitContainerStatuses {
		if s.State.Terminated != nil && s.State.Terminated.ExitCode == 0 || s.Started != nil && *s.Started {
			continue
		}
		if why := trouble(s.State); why != "" && why != "PodInitializing" {
			return "Init:" + why
		}
		return fmt.Sprintf("Init:%d/%d", i, len(p.Spec.InitContainers))
	}
	for _, s := range p.Status.ContainerStatuses {
		if why := trouble(s.State); why != "" {
			return why
		}
	}
	if p.Status.Reason == "" && len(p.Spec.SchedulingGates) > 0 {
		return corev1.PodReasonSchedulingGated
	}
	return cmp.Or(p.Status.Reason, string(p.Status.Phase))
}

// trouble says why a container does not run; it is empty if it does.
func trouble(s corev1.ContainerState) string {
	switch {
	case s.Waiting != nil:
		return s.Waiting.Reason
	case s.Terminated == nil:
		return ""
	case s.Terminated.Reason == "" && s.Terminated.Signal != 0:
		return fmt.Sprintf("Signal:%d", s.Terminated.Signal)
	case s.Terminated.Reason == "":
		return fmt.Sprintf("ExitCode:%d", s.Terminated.ExitCode)
	default:
		return s.Terminated.Reason
	}
}

// restarts counts those of all containers, and says when the last one was.
func restarts(p *corev1.Pod) string {
	count, last := int32(0), metav1.Time{}
	for _, s := range p.Status.ContainerStatuses {
		count += s.RestartCount
		if ended := s.LastTerminationState.Terminated; ended != nil && last.Before(&ended.FinishedAt) {
			last = ended.FinishedAt
		}
	}
	if count == 0 || last.IsZero() {
		return fmt.Sprint(count)
	}
	return fmt.Sprintf("%d (%s ago)", count, since(last))
}

func readinessGates(p *corev1.Pod) string {
	if len(p.Spec.ReadinessGates) == 0 {
		return none
	}
	met := 0
	for _, gate := range p.Spec.ReadinessGates {
		if slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == gate.ConditionType && c.Status == corev1.ConditionTrue
		}) {
			met++
		}
	}
	return fmt.Sprintf("%d/%d", met, len(p.Spec.ReadinessGates))
}

// made are the columns about the pods that an object has made.
func made[T any, P object[T]](template func(P) corev1.PodSpec) []column {
	of := func(part func(corev1.Container) string) func(P) string {
		return func(o P) string {
			var parts []string
			for _, c := range template(o).Containers {
				parts = append(parts, part(c))
			}
			return strings.Join(parts, ",")
		}
	}
	return wide(
		text("Containers", of(func(c corev1.Container) string { return c.Name })),
		text("Images", of(func(c corev1.Container) string { return c.Image })),
	)
}
