package main

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const namespace = "shop"

// home is the namespace of all requests.
func home() *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name:   namespace,
		Labels: map[string]string{corev1.LabelMetadataName: namespace, "team": "checkout"},
	}}
}

// newPod is about 4.5 KB of JSON: three containers as a team writes them.
func newPod() *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: "web-7d4b9c6f5-x2x7k", Namespace: namespace, GenerateName: "web-7d4b9c6f5-",
		Labels: map[string]string{
			"app": "web", "app.kubernetes.io/name": "web", "app.kubernetes.io/part-of": "shop",
			"pod-template-hash": "7d4b9c6f5", "team": "checkout",
		},
		Annotations: map[string]string{"prometheus.io/scrape": "true", "prometheus.io/port": "9090"},
		OwnerReferences: []metav1.OwnerReference{
			{
				APIVersion:         "apps/v1",
				Kind:               "ReplicaSet",
				Name:               "web-7d4b9c6f5",
				UID:                "6f0c9d2e-5b1c-4f7e-9a44-0f6d8f1b2c3d",
				Controller:         new(true),
				BlockOwnerDeletion: new(true),
			},
		},
	}}
	p.Spec = corev1.PodSpec{
		ServiceAccountName:            "web",
		RestartPolicy:                 corev1.RestartPolicyAlways,
		DNSPolicy:                     corev1.DNSClusterFirst,
		SchedulerName:                 corev1.DefaultSchedulerName,
		TerminationGracePeriodSeconds: new(int64(30)),
		NodeSelector:                  map[string]string{"kubernetes.io/os": "linux", "pool": "general"},
		SecurityContext: &corev1.PodSecurityContext{
			RunAsNonRoot: new(true),
			FSGroup:      new(int64(2000)),
		},
		Tolerations: []corev1.Toleration{{Key: "pool", Operator: corev1.TolerationOpEqual,
			Value: "general", Effect: corev1.TaintEffectNoSchedule}},
		Volumes: []corev1.Volume{
			{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
				LocalObjectReference: corev1.LocalObjectReference{Name: "web-config"}}}},
			{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		},
	}
	for _, name := range []string{"web", "proxy", "logs"} {
		p.Spec.Containers = append(p.Spec.Containers, newContainer(name))
	}
	return p
}

func newContainer(name string) corev1.Container {
	probe := func(path string) *corev1.Probe {
		return &corev1.Probe{
			ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path,
				Port: intstr.FromInt32(8080), Scheme: corev1.URISchemeHTTP}},
			PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3,
		}
	}
	needs := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu),
			corev1.ResourceMemory: resource.MustParse(memory)}
	}
	c := corev1.Container{
		Name:            name,
		Image:           "registry.example.com/shop/" + name + ":v1.42.0",
		ImagePullPolicy: corev1.PullIfNotPresent,
		Args: []string{"--listen=:8080", "--config=/etc/" + name + "/config.yaml",
			"--log-level=info"},
		Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080,
			Protocol: corev1.ProtocolTCP}},
		Resources: corev1.ResourceRequirements{Requests: needs("100m", "128Mi"),
			Limits: needs("500m", "512Mi")},
		LivenessProbe:  probe("/livez"),
		ReadinessProbe: probe("/readyz"),
		VolumeMounts: []corev1.VolumeMount{
			{Name: "config", MountPath: "/etc/" + name, ReadOnly: true}, {Name: "tmp", MountPath: "/tmp"},
		},
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: new(false), ReadOnlyRootFilesystem: new(true),
			Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		},
		TerminationMessagePath:   corev1.TerminationMessagePathDefault,
		TerminationMessagePolicy: corev1.TerminationMessageReadFile,
	}
	for i := range 4 {
		c.Env = append(
			c.Env,
			corev1.EnvVar{Name: fmt.Sprintf("SETTING_%d", i), Value: fmt.Sprintf("value-of-setting-%d", i)},
		)
	}
	return c
}

// newLargePod is a pod of about that size, which most of its settings take.
func newLargePod(size int) *corev1.Pod {
	const each = 100 // the size of a setting in JSON
	p := newPod()
	c := &p.Spec.Containers[0]
	for i := range size / each {
		c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_%06d", i),
			Value: fmt.Sprintf("https://endpoint-%06d.shop.example.com/api/v1/checkout?retry=3", i)})
	}
	return p
}

// newCustom has the pod's content, without its types.
func newCustom(p *corev1.Pod) (*unstructured.Unstructured, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(p)
	if err != nil {
		return nil, fmt.Errorf("making a custom resource: %w", err)
	}
	object := &unstructured.Unstructured{Object: content}
	object.SetGroupVersionKind(customEndpoint().kind)
	return object, nil
}

// largeSize is the size of a large object.
const largeSize = 1 << 20

// newLarge is configuration of about that size, in 16 files.
func newLarge(size int) *corev1.ConfigMap {
	const files, line = 16, "server.endpoint.timeout = 30s # as agreed with the shop team\n"
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "settings", Namespace: namespace},
		Data: map[string]string{}}
	for i := range files {
		object.Data[fmt.Sprintf("part-%02d.conf", i)] = strings.Repeat(line, size/files/len(line))
	}
	return object
}
