package integration_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// writtenRow writes a configuration with match conditions, given as JSON.
type writtenRow struct {
	row
	conditions string
	// want is in the error; empty for none.
	want string
}

func writtenRows() []writtenRow {
	const (
		leases  = `{"name":"exclude-leases","expression":"!(request.resource.group == 'coordination.k8s.io' && request.resource.resource == 'leases')"}`
		kubelet = `{"name":"exclude-kubelet-requests","expression":"!('system:nodes' in request.userInfo.groups)"}`
		glass   = `{"name":"breakglass","expression":"!authorizer.group('admissionregistration.k8s.io').resource('validatingwebhookconfigurations').name('own.example.com').check('breakglass').allowed()"}`
	)
	return []writtenRow{
		{row{"true", "an expression may be as short as that"}, `{"name":"a","expression":"true"}`, ""},
		{row{"trio", "the request, its user and the authorizer can be asked"}, leases + "," + kubelet + "," + glass, ""},
		{row{"64", "so many are allowed"}, many(64), ""},
		{
			row{"unknown variable", "a typing error is found when it is written"}, `{"name":"a","expression":"imnotafield == null"}`,
			`webhooks[0].matchConditions[0].expression: Invalid value: "imnotafield == null": compilation failed: ERROR: <input>:1:1: undeclared reference to 'imnotafield'`,
		},
		{row{"missing expression", "there is nothing to meet"}, `{"name":"a"}`, `webhooks[0].matchConditions[0].expression: Required value`},
		{row{"empty expression", "there is nothing to meet"}, `{"name":"a","expression":""}`, `webhooks[0].matchConditions[0].expression: Required value`},
		{row{"missing name", "metrics and errors have it"}, `{"expression":"true"}`, `webhooks[0].matchConditions[0].name: Required value`},
		{row{"empty name", "metrics and errors have it"}, `{"name":"","expression":"true"}`, `webhooks[0].matchConditions[0].name: Required value`},
		{
			row{"same name twice", "the message could not say which one was not met"}, `{"name":"a","expression":"true"},{"name":"a","expression":"false"}`,
			`webhooks[0].matchConditions[1].name: Duplicate value: "a"`,
		},
		{row{"space in a name", "it is a label's key"}, `{"name":" test1","expression":"true"}`, `webhooks[0].matchConditions[0].name: Invalid value: " test1": name part must consist of`},
		{row{"65", "every request pays for them"}, many(65), `webhooks[0].matchConditions: Too many: 65: must have at most 64 items`},
	}
}

// many are n conditions.
func many(n int) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(`{"name":"condition-%d","expression":"true"}`, i)
	}
	return strings.Join(texts, ",")
}

// testWrittenConditions is I-M10.
func testWrittenConditions(t *testing.T, s *server) {
	testtable.Run(t, writtenRows(), func(t *testing.T, r writtenRow) {
		for _, phase := range phases() {
			webhooks := json.RawMessage(`[{"name":"own.example.com","clientConfig":{"url":"https://localhost:1234/server"},"sideEffects":"None",
				"admissionReviewVersions":["v1"],"matchConditions":[` + r.conditions + `]}]`)
			body := configuration(t, phase, "i-m10", webhooks)
			post := s.AdmissionregistrationV1().RESTClient().Post().Resource(phase+"webhookconfigurations").Param("dryRun", "All")
			err := post.Body(body).Do(t.Context()).Error()
			wantText(t, err, r.want)
			if err != nil && !strings.HasPrefix(err.Error(), kindOf(phase)+`.admissionregistration.k8s.io "i-m10" is invalid: `) {
				t.Errorf("got %v, want a configuration that is invalid", err)
			}
		}
	})
}
