// Package convert converts built-in objects between the versions in which
// kube-apiserver v1.37 accepts them, without a server. Three kinds have two
// versions that differ in more than their name and are both in use:
//
//   - HorizontalPodAutoscaler: autoscaling/v2 and autoscaling/v1;
//   - Event: events.k8s.io/v1 and v1, which kube-apiserver stores as one;
//   - Eviction: policy/v1 and policy/v1beta1, which pods/eviction still
//     accepts.
//
// Versions that kube-apiserver v1.37 does not serve are not known.
// docs/requests.md says which they are and what to use instead.
//
// An object passes through the newer version of its kind: defaults that only
// one version can express are written out there. An autoscaling/v1 object
// without a metric, for example, becomes an autoscaling/v2 object with an
// explicit target of 80 % CPU.
//
// What kube-apiserver loses is lost here as well: the annotations of
// autoscaling/v1, if a client writes them into an autoscaling/v2 object. The
// CPU utilization metric becomes the last one on the way through v1. A second
// one is an error, because one of the two would be lost.
//
// The functions have no state. They set no other defaults, do not validate, and
// accept neither lists nor unstructured objects.
package convert
