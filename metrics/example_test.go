package metrics_test

import (
	"context"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/metrics"
)

func ExampleNew() {
	reg := prometheus.NewRegistry()
	m, err := metrics.New(reg)
	if err != nil {
		fmt.Println(err)
		return
	}

	// The engine does this after every call.
	m.RecordCall(context.Background(), &admission.Call{
		Webhook:   &admission.Webhook{Phase: admission.Mutating, Name: "inject.example.com"},
		Operation: "CREATE",
		Outcome:   admission.Allowed,
		Code:      200,
	})

	n, err := testutil.GatherAndCount(reg, "apiserver_admission_webhook_request_total")
	fmt.Println(n, err)
	// Output: 1 <nil>
}
