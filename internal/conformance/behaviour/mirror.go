package behaviour

import (
	"context"
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// mirrors is the check of pods that only show what a kubelet runs anyway.
func mirrors() []check.Check {
	return []check.Check{{
		Check: report.Check{
			ID: "C-MIRROR-PODS", Group: report.Behaviour, Level: report.Must,
			Title: "leaves the spec of mirror pods alone, and the annotations of the kubelet",
			Why:   "A mirror pod shows a static pod that a kubelet runs from a file, whatever becomes of the mirror. What a webhook changes in its spec is not what runs, and if it adds a reference to a Secret or a service account, the mirror is refused, and nobody sees the pod. The kubelet knows its mirrors by the annotations kubernetes.io/config.*: one with another hash it deletes and creates again.",
			Fix:   "Leave alone the spec of pods with the annotation kubernetes.io/config.mirror, or leave these pods out by a matchCondition. Never touch annotations that begin with kubernetes.io/config.",
		},
		Each: ifMutating(leavesMirrors),
	}}
}

func leavesMirrors(ctx context.Context, w *probe.Webhook, r *check.Record) {
	r.Lacks("the webhook has no good answer to a pod that is created or updated")
	for _, v := range w.Good() {
		request := mirrored(v.Request)
		if request == nil {
			continue
		}
		response, err := w.Alone(ctx, request)
		if err != nil {
			continue
		}
		r.Saw()
		f := finding(v.Name, paths(spoilt(response)), probe.Exchanges(response)...)
		switch failed := failure(response); {
		case failed != nil:
			r.Find(f, "there is no answer if the pod is a mirror pod: %s", outcomeOf(failed, response.Request))
		case len(f.Paths) > 0:
			r.Find(f, "the webhook changes the pod although it is a mirror pod")
		}
	}
}

// The annotations by which a kubelet knows what it runs, and its mirrors.
const (
	configSource = "kubernetes.io/config.source"
	configHash   = "kubernetes.io/config.hash"
	configSeen   = "kubernetes.io/config.seen"
)

// spoilt returns what was changed of that which makes a mirror.
func spoilt(response *admission.Response) []explain.Change {
	parts := []string{"spec"}
	for _, key := range []string{configSource, configHash, configSeen, corev1.MirrorPodAnnotationKey} {
		parts = append(parts, "metadata.annotations['"+key+"']")
	}
	return slices.DeleteFunc(patched(response), func(c explain.Change) bool { return !touches(c.Path, parts) })
}

// mirrored returns the request with a mirror pod, by the kubelet that would make it; nil if
// it is not about a pod.
func mirrored(r *admission.Request) *admission.Request {
	pods := corev1.SchemeGroupVersion.WithResource("pods")
	if r.Resource != pods || r.Subresource != "" || r.Object == nil {
		return nil
	}
	copied := *r
	copied.Object = mirror(r.Object)
	if r.OldObject != nil {
		copied.OldObject = mirror(r.OldObject)
	}
	copied.User = &authenticationv1.UserInfo{Username: "system:node:" + node, Groups: []string{"system:nodes", "system:authenticated"}}
	return &copied
}

// node is where mirror pods are.
const node = "conformance"

// mirror returns a pod as the mirror of a static one.
func mirror(pod runtime.Object) runtime.Object {
	pod = pod.DeepCopyObject()
	m, err := meta.Accessor(pod)
	if err != nil {
		return pod
	}
	annotations := m.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	const hash = "5f1a2c39b4d60e78"
	annotations[configSource], annotations[configSeen] = "file", "2030-01-01T00:00:00.000000000Z"
	annotations[configHash], annotations[corev1.MirrorPodAnnotationKey] = hash, hash
	m.SetAnnotations(annotations)
	m.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: "v1", Kind: "Node", Name: node, UID: "2d3b9c1e-5a74-4c8f-9e60-7b1f0a6d4c52", Controller: new(true),
	}})
	if p, ok := pod.(*corev1.Pod); ok {
		p.Spec.NodeName = node
	}
	return pod
}

// failure returns the call that had no answer; nil if all had one.
func failure(response *admission.Response) *admission.Call {
	for i := range response.Calls {
		if o := response.Calls[i].Outcome; o != admission.Allowed && o != admission.Rejected {
			return &response.Calls[i]
		}
	}
	return nil
}

// outcomeOf says in a few words what came back from a call that failed.
func outcomeOf(call *admission.Call, of *admission.Request) string {
	if x := probe.ExchangeOf(call, of); x != nil && x.Status != 0 && x.Answer == nil {
		return x.Outcome()
	}
	return probe.WithoutURL(call.Err).Error() // the rest is in the evidence
}

// patched returns what the patches of a request have changed, without the defaults of what
// they have added.
func patched(response *admission.Response) []explain.Change {
	var all []explain.Change
	for i := range response.Calls {
		if t := response.Calls[i].Trace; t != nil && t.Patched != nil {
			all = append(all, differences(t.Before, t.Patched)...)
		}
	}
	return all
}
