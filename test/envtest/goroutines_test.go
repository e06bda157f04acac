package envtest_test

import (
	"runtime"
	"strings"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/test/envtest"
)

// TestStartOpensStorage uses a kind that a server may connect to the database for
// when it is first used. The goroutines of the connection would look like a leak
// of a spec.
func TestStartOpensStorage(t *testing.T) {
	c := start(t, &envtest.Environment{})
	before := databaseConnections()
	event := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"},
		EventTime:  metav1.NowMicro(), ReportingController: "test", ReportingInstance: "test",
		Action: "Test", Reason: "Test", Type: "Normal",
	}
	if err := c.Create(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if after := databaseConnections(); before == 0 || after != before {
		t.Errorf("%d connections to the database after Start, %d after the first event", before, after)
	}
}

// databaseConnections counts the connections of gRPC clients in the process.
func databaseConnections() int {
	stacks := make([]byte, 16<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return strings.Count(string(stacks), "transport.(*http2Client).reader(")
}
