package webhooks

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// ask returns a question about a pod in the namespace shop.
func ask(operation admissionv1.Operation, pod, old *corev1.Pod) *question {
	return &question{
		AdmissionRequest: &admissionv1.AdmissionRequest{Operation: operation, Namespace: "shop"},
		pod:              pod,
		old:              old,
	}
}

// newPod returns a pod with one container per image.
func newPod(images ...string) *corev1.Pod {
	pod := &corev1.Pod{}
	for _, image := range images {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "main", Image: image})
	}
	return pod
}

// with returns a pod after a change.
func with(pod *corev1.Pod, change func(*corev1.Pod)) *corev1.Pod {
	change(pod)
	return pod
}

const ours = registry + "web:1.0"

func TestFillIn(t *testing.T) {
	t.Parallel()
	profile := &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}
	type test struct {
		row
		operation admissionv1.Operation
		pod       *corev1.Pod
		want      []operation
	}
	testtable.Run(t, []test{
		{row{"bare", "what an add leads to has to be there, so that the maps are added whole"}, admissionv1.Create, newPod(ours),
			[]operation{
				add("/metadata/labels", map[string]string{"team": "shop"}),
				add("/spec/securityContext", corev1.PodSecurityContext{SeccompProfile: profile}),
			}},
		{row{"something there", "what is there already has to stay"}, admissionv1.Create, with(newPod(ours), func(p *corev1.Pod) {
			p.Labels = map[string]string{"app": "web"}
			p.Spec.SecurityContext = &corev1.PodSecurityContext{RunAsNonRoot: new(true)}
		}), []operation{add("/metadata/labels/team", "shop"), add("/spec/securityContext/seccompProfile", profile)}},
		{row{"all there", "what it has made itself must not change again"}, admissionv1.Create, with(newPod(ours), func(p *corev1.Pod) {
			p.Labels = map[string]string{"team": ""}
			p.Spec.SecurityContext = &corev1.PodSecurityContext{SeccompProfile: &corev1.SeccompProfile{Type: "Unconfined"}}
		}), nil},
		{row{"update", "a seccomp profile cannot be given later"}, admissionv1.Update, newPod(ours),
			[]operation{add("/metadata/labels", map[string]string{"team": "shop"})}},
		{row{"Windows", "a server refuses a seccomp profile there"}, admissionv1.Create, with(newPod(ours), func(p *corev1.Pod) {
			p.Spec.OS = &corev1.PodOS{Name: corev1.Windows}
		}), []operation{add("/metadata/labels", map[string]string{"team": "shop"})}},
		{row{"mirror", "the kubelet runs what its file says"}, admissionv1.Create, mirror(newPod(ours)), nil},
		{row{"no pod", "a deletion has no new object"}, admissionv1.Delete, nil, nil},
	}, func(t *testing.T, tc test) {
		if diff := cmp.Diff(&verdict{patch: tc.want}, fillIn(ask(tc.operation, tc.pod, nil)), cmp.AllowUnexported(verdict{})); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

func mirror(pod *corev1.Pod) *corev1.Pod {
	pod.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "1"}
	return pod
}

func TestInject(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		operation admissionv1.Operation
		pod       *corev1.Pod
		want      bool
	}
	testtable.Run(t, []test{
		{row{"new pod", "this is what it is for"}, admissionv1.Create, newPod(ours), true},
		{row{"there already", "it may be called twice"}, admissionv1.Create, with(newPod(ours), func(p *corev1.Pod) {
			p.Spec.Containers[0].Name = "proxy"
		}), false},
		{row{"not wanted", "a pod may say no"}, admissionv1.Create, with(newPod(ours), func(p *corev1.Pod) {
			p.Annotations = map[string]string{"example.com/sidecar": "no"}
		}), false},
		{row{"mirror", "the kubelet runs what its file says"}, admissionv1.Create, mirror(newPod(ours)), false},
		{row{"no containers", "a patch could not be applied"}, admissionv1.Create, newPod(), false},
		{row{"update", "a pod gets no containers later"}, admissionv1.Update, newPod(ours), false},
		{row{"deletion", "there is no new object"}, admissionv1.Delete, nil, false},
	}, func(t *testing.T, tc test) {
		if got := len(inject(ask(tc.operation, tc.pod, nil)).patch) > 0; got != tc.want {
			t.Errorf("it is injected: %t, want %t", got, tc.want)
		}
	})
}

func TestJudge(t *testing.T) {
	t.Parallel()
	foreign := "images.example.net/web:1.0"
	type test struct {
		row
		question *question
		want     verdict
	}
	seen := func(images string) map[string]string { return map[string]string{"images": images} }
	testtable.Run(t, []test{
		{row{"ours", "what is wanted gets through, and into the audit log"}, ask(admissionv1.Create, newPod(ours), nil),
			verdict{annotations: seen(ours)}},
		{row{"foreign", "every foreign image is named, and named once"}, ask(admissionv1.Create, newPod(foreign, ours, foreign, "busybox:1"), nil),
			verdict{
				denial:      `image "busybox:1" is not from registry.example.com/; image "images.example.net/web:1.0" is not from registry.example.com/`,
				annotations: seen("busybox:1 images.example.net/web:1.0 registry.example.com/web:1.0"),
			}},
		{row{"foreign before", "the finalizers of an old pod must come off"}, ask(admissionv1.Update, newPod(foreign), newPod(foreign)),
			verdict{annotations: seen(foreign)}},
		{row{"foreign now", "an update could bring in what a create could not"}, ask(admissionv1.Update, newPod(foreign), newPod(ours)),
			verdict{denial: `image "images.example.net/web:1.0" is not from registry.example.com/`, annotations: seen(foreign)}},
		{row{"ephemeral", "so could a debugger"}, ask(admissionv1.Update, with(newPod(ours), func(p *corev1.Pod) {
			p.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Image: foreign}}}
		}), newPod(ours)), verdict{
			denial:      `image "images.example.net/web:1.0" is not from registry.example.com/`,
			annotations: seen("images.example.net/web:1.0 registry.example.com/web:1.0"),
		}},
		{row{"latest", "the image may change"}, ask(admissionv1.Create, newPod(registry+"web"), nil), verdict{
			warnings:    []string{`image "registry.example.com/web" may be another one tomorrow`},
			annotations: seen("registry.example.com/web"),
		}},
		{row{"kept", "the label protects a pod"}, ask(admissionv1.Delete, nil, with(newPod(ours), func(p *corev1.Pod) {
			p.ObjectMeta = metav1.ObjectMeta{Name: "till", Labels: map[string]string{"keep": "yes"}}
		})), verdict{denial: `pod "till" is kept: take the label keep off first`}},
		{row{"not kept", "other pods can be deleted"}, ask(admissionv1.Delete, nil, newPod(ours)), verdict{}},
		{row{"unknown deletion", "old servers do not say what is deleted"}, ask(admissionv1.Delete, nil, nil), verdict{}},
		{row{"no pod", "there may be less than the rules promise"}, ask(admissionv1.Create, nil, nil), verdict{}},
		{row{"command", "the policy records commands"}, &question{
			AdmissionRequest: &admissionv1.AdmissionRequest{Operation: admissionv1.Connect},
			exec:             &corev1.PodExecOptions{Command: []string{"sh", "-c", "env"}},
		}, verdict{annotations: map[string]string{"command": "sh -c env"}}},
	}, func(t *testing.T, tc test) {
		if diff := cmp.Diff(&tc.want, judge(tc.question), cmp.AllowUnexported(verdict{})); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

func TestIsLatest(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		image string
		want  bool
	}
	testtable.Run(t, []test{
		{row{"latest", "this is the tag"}, "web:latest", true},
		{row{"no tag", "it means the same"}, "web", true},
		{row{"port", "the colon of a port is no tag's"}, "registry.example.com:5000/web", true},
		{row{"port and tag", "the last colon is"}, "registry.example.com:5000/web:1.0", false},
		{row{"digest", "it says exactly which image"}, "web:latest@sha256:abc", false},
	}, func(t *testing.T, tc test) {
		if got := isLatest(tc.image); got != tc.want {
			t.Errorf("got %t, want %t", got, tc.want)
		}
	})
}

func TestShorten(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 300)
	if got := []rune(shorten(long)); len(got) != 256 || got[255] != '…' {
		t.Errorf("got %d characters that end with %q, want 256 with an ellipsis", len(got), got[len(got)-1])
	}
	exact := strings.Repeat("é", 256)
	if shorten(exact) != exact {
		t.Error("what fits was shortened")
	}
}
