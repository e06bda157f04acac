package builtin_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/conformance/sample/builtin"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// TestEveryKind shows that no type has anything that Fill does not know.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	known := kinds.New()
	n := 0
	for at := range known.Resources() {
		object, err := known.ObjectInterfaces().GetObjectCreater().New(at.Kind)
		if err != nil {
			t.Fatal(err)
		}
		builtin.Fill(object)
		builtin.Status(object)
		builtin.Move(object, "shop")
		n++
	}
	if n < 90 {
		t.Errorf("%d kinds, want all that are served", n)
	}
}

type filledCase struct {
	row
	object runtime.Object
	want   string
}

// TestFilled shows what a few objects look like, before their defaults.
func TestFilled(t *testing.T) {
	t.Parallel()
	const template = `{"metadata":{"labels":{"app":"sample"}},"spec":{"containers":[{"image":"registry.example.com/sample:1.0","name":"sample","resources":{}}]}}`
	testtable.Run(t, []filledCase{
		{row{"pod", "one container, and nothing that could be left out"}, &corev1.Pod{},
			`{"metadata":{},"spec":{"containers":[{"image":"registry.example.com/sample:1.0","name":"sample","resources":{}}]},"status":{}}`},
		{row{"deployment", "the selector selects what the template makes"}, &appsv1.Deployment{},
			`{"metadata":{},"spec":{"selector":{"matchLabels":{"app":"sample"}},"strategy":{},"template":` + template + `},"status":{}}`},
		{row{"replica set", "JSON may leave its template out, servers may not"}, &appsv1.ReplicaSet{},
			`{"metadata":{},"spec":{"selector":{"matchLabels":{"app":"sample"}},"template":` + template + `},"status":{"replicas":0}}`},
		{row{"job", "it ends"}, &batchv1.Job{},
			`{"metadata":{},"spec":{"template":{"metadata":{"labels":{"app":"sample"}},"spec":{"containers":[{"image":"registry.example.com/sample:1.0","name":"sample","resources":{}}],"restartPolicy":"Never"}}},"status":{}}`},
		{row{"service", "it has ports"}, &corev1.Service{},
			`{"metadata":{},"spec":{"ports":[{"port":80,"targetPort":8080}],"selector":{"app":"sample"}},"status":{"loadBalancer":{}}}`},
	}, func(t *testing.T, tc filledCase) {
		builtin.Fill(tc.object)
		text, err := json.Marshal(tc.object)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decoded(t, tc.want), decoded(t, string(text))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestStatus(t *testing.T) {
	t.Parallel()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
	if !builtin.Status(pod) || pod.Status.Phase != corev1.PodRunning || pod.Name != "web" || pod.Spec.Containers != nil {
		t.Errorf("got %v, want a pod that runs and is otherwise what it was", pod)
	}
	if builtin.Status(&corev1.ConfigMap{}) {
		t.Error("a ConfigMap has a status")
	}
}

func TestMove(t *testing.T) {
	t.Parallel()
	event := &corev1.Event{}
	builtin.Move(event, "shop")
	if event.InvolvedObject.Namespace != "shop" {
		t.Errorf("the event is about something in %q", event.InvolvedObject.Namespace)
	}
}
