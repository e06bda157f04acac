package printers

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func podTable() table {
	const columns = "Name, Ready, Status, Restarts, Age, (IP), (Node), (Nominated Node), " +
		"(Readiness Gates)"
	return newTable(columns, func(p *corev1.Pod) []any {
		return []any{
			p.Name, readyContainers(p), podStatus(p), restarts(p), since(p.CreationTimestamp),
			cmp.Or(p.Status.PodIP, none), cmp.Or(p.Spec.NodeName, none),
			cmp.Or(p.Status.NominatedNodeName, none), readinessGates(p),
		}
	})
}

func readyContainers(p *corev1.Pod) string {
	ready := 0
	for _, s := range p.Status.ContainerStatuses {
		if s.Ready {
			ready++
		}
	}
	return fmt.Sprintf("%d/%d", ready, len(p.Spec.Containers))
}

// podStatus returns the reason of the first container that does not run, or
// else the reason or the phase of the pod.
func podStatus(p *corev1.Pod) string {
	if p.DeletionTimestamp != nil {
		return "Terminating"
	}
	for i, s := range p.Status.InitContainerStatuses {
		completed := s.State.Terminated != nil && s.State.Terminated.ExitCode == 0
		if completed || s.Started != nil && *s.Started {
			continue
		}
		if reason := reasonOf(s.State); reason != "" && reason != "PodInitializing" {
			return "Init:" + reason
		}
		return fmt.Sprintf("Init:%d/%d", i, len(p.Spec.InitContainers))
	}
	for _, s := range p.Status.ContainerStatuses {
		if reason := reasonOf(s.State); reason != "" {
			return reason
		}
	}
	if p.Status.Reason == "" && len(p.Spec.SchedulingGates) > 0 {
		return corev1.PodReasonSchedulingGated
	}
	return cmp.Or(p.Status.Reason, string(p.Status.Phase))
}

// reasonOf returns why a container does not run, or "" if it runs.
func reasonOf(s corev1.ContainerState) string {
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

// restarts returns the restarts of all containers and the time of the last one.
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
		isTrue := func(c corev1.PodCondition) bool {
			return c.Type == gate.ConditionType && c.Status == corev1.ConditionTrue
		}
		if slices.ContainsFunc(p.Status.Conditions, isTrue) {
			met++
		}
	}
	return fmt.Sprintf("%d/%d", met, len(p.Spec.ReadinessGates))
}
