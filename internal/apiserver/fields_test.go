package apiserver

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestFieldSelectors selects among the samples, of which there is one in the
// test's namespace. Those of clusters are selected by name besides.
func TestFieldSelectors(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		plural, selector string
		// want is how many objects are selected, or the rejection.
		want     int
		rejected string
	}
	rows := []test{
		{row{"namespace", "objects of one namespace among all"}, "configmaps", "metadata.namespace!=default", 1, ""},
		{row{"no node", "the scheduler's question"}, "pods", "spec.nodeName=", 1, ""},
		{row{"node", "the kubelet's question"}, "pods", "spec.nodeName=a", 0, ""},
		{row{"phase", "kubectl's question"}, "pods", "status.phase=Pending", 1, ""},
		{row{"other phase", "who is done is of no interest"}, "pods", "status.phase!=Pending,status.phase!=Running", 0, ""},
		{row{"restart policy", "one of many of pods"}, "pods", "spec.restartPolicy=Always,spec.hostNetwork=false", 1, ""},
		{row{"secret", "by type"}, "secrets", "type=Opaque", 1, ""},
		{row{"service", "by type"}, "services", "spec.type=ClusterIP,spec.clusterIP!=None", 1, ""},
		{row{"event", "kubectl describe's question"}, "events", "involvedObject.name=a,involvedObject.kind=Pod,type=Normal", 1, ""},
		{row{"job", "by success"}, "jobs", "status.successful=0", 1, ""},
		{row{"replica set", "by replicas"}, "replicasets", "status.replicas=0", 1, ""},
		{row{"unknown", "an empty list would be a wrong answer"}, "pods", "spec.nonsense=a", 0, `field label not supported: spec.nonsense`},
		{row{"plain", "most have but their names"}, "configmaps", "data=a", 0, `"data" is not a known field selector: only "metadata.name", "metadata.namespace"`},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		seed(t, r.plural)
		list, err := reach(t, shared, find(t, r.plural)).List(t.Context(), metav1.ListOptions{FieldSelector: r.selector})
		if got := testtable.Text(err); r.rejected != "" && got != r.rejected {
			t.Errorf("got %q, want %q", got, r.rejected)
		}
		if r.rejected == "" && (err != nil || len(list.Items) != r.want) {
			t.Errorf("got %v, %v; want %d", list, err, r.want)
		}
	})
}
