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

func leavesMirrors(ctx context.Context, w *probe.Webhook, r *check.Record) {
	r.Missing("the webhook has no good answer to a pod that is created or updated")
	for _, v := range w.AnsweredVisits() {
		request := asMirrorPod(v.Request)
		if request == nil {
			continue
		}
		response, err := w.Alone(ctx, request)
		if err != nil {
			continue
		}
		r.Checked()
		f := newFinding(v.Name, paths(protectedChanges(response)), probe.Exchanges(response)...)
		note := ""
		if !w.IsCalled(ctx, asControlPlane(request)) {
			f.Level, note = report.Should, "; those in kube-system without labels of its own are not sent to it"
		}
		switch failed := failedCall(response); {
		case failed != nil:
			r.Add(f, "there is no answer if the pod is a mirror pod: %s%s",
				outcomeOf(failed, response.Request), note)
		case len(f.Paths) > 0:
			r.Add(f, "the webhook changes the pod although it is a mirror pod%s", note)
		}
	}
}

// The annotations by which a kubelet identifies its pods and their mirrors.
const (
	configSource = "kubernetes.io/config.source"
	configHash   = "kubernetes.io/config.hash"
	configSeen   = "kubernetes.io/config.seen"
)

// protectedChanges returns the changes of fields that make a mirror pod.
func protectedChanges(response *admission.Response) []explain.Change {
	parts := []string{"spec"}
	for _, key := range []string{configSource, configHash, configSeen, corev1.MirrorPodAnnotationKey} {
		parts = append(parts, "metadata.annotations['"+key+"']")
	}
	return slices.DeleteFunc(patchChanges(response),
		func(c explain.Change) bool { return !touches(c.Path, parts) })
}

// asMirrorPod returns the request for a mirror pod, made by the kubelet; nil if
// it is not about a pod.
func asMirrorPod(r *admission.Request) *admission.Request {
	pods := corev1.SchemeGroupVersion.WithResource("pods")
	if r.Resource != pods || r.Subresource != "" || r.Object == nil {
		return nil
	}
	copied := *r
	copied.Object = mirror(r.Object)
	if r.OldObject != nil {
		copied.OldObject = mirror(r.OldObject)
	}
	copied.User = &authenticationv1.UserInfo{Username: "system:node:" + node,
		Groups: []string{"system:nodes", "system:authenticated"}}
	return &copied
}

// asControlPlane returns the request for a mirror pod as it is in most clusters:
// in kube-system, with labels that no webhook selects.
func asControlPlane(r *admission.Request) *admission.Request {
	copied := *r
	copied.Namespace = metav1.NamespaceSystem
	for _, object := range []*runtime.Object{&copied.Object, &copied.OldObject} {
		if *object == nil {
			continue
		}
		*object = (*object).DeepCopyObject()
		if m, err := meta.Accessor(*object); err == nil {
			m.SetNamespace(copied.Namespace)
			m.SetLabels(map[string]string{"tier": "control-plane"})
		}
	}
	return &copied
}

// node is the node of mirror pods.
const node = "conformance"

// mirror returns a copy of a pod as the mirror of a static pod.
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

// failedCall returns the first failed call; nil if none failed.
func failedCall(response *admission.Response) *admission.Call {
	for i := range response.Calls {
		if o := response.Calls[i].Outcome; o != admission.Allowed && o != admission.Rejected {
			return &response.Calls[i]
		}
	}
	return nil
}

// outcomeOf describes the response of a failed call in a few words.
func outcomeOf(call *admission.Call, of *admission.Request) string {
	if x := probe.ExchangeOf(call, of); x != nil && x.Status != 0 && x.Answer == nil {
		return x.Outcome()
	}
	return probe.WithoutURL(call.Err).Error() // the evidence has the rest
}

// patchChanges returns the changes that patches made, without the defaults of
// added fields.
func patchChanges(response *admission.Response) []explain.Change {
	var all []explain.Change
	for i := range response.Calls {
		if t := response.Calls[i].Trace; t != nil && t.Patched != nil {
			all = append(all, diff(t.Before, t.Patched)...)
		}
	}
	return all
}
