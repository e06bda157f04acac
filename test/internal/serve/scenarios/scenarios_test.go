package scenarios_test

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// scenario is one of the catalogue. Its name begins with its number.
type scenario struct {
	row
	run func(*testing.T, *world)
}

// namespace returns a name that contains the number.
func (s scenario) namespace() string {
	number, _, _ := strings.Cut(s.Name(), " ")
	return "webhook-" + strings.ToLower(number)
}

// TestConformance has all scenarios take place at the same time.
func TestConformance(t *testing.T) {
	t.Parallel()
	s := start(t)
	testtable.Run(t, []scenario{
		{row{"E-01 discovery", "clients look there before they register anything"}, testDiscovery},
		{row{"E-02 deny pod and configmap", "the webhook's words reach the client, whatever verb and patch it used; a namespace can be exempted"}, testDeny},
		{row{"E-03 deny attach", "what is connected to is admitted, although nothing is written"}, testDenyAttach},
		{row{"E-04 deny custom resource", "kinds that came later are admitted like the others, deletions included"}, testDenyCustom},
		{row{"E-05 fail closed", "a webhook that cannot be trusted stops what it guards"}, testFailClosed},
		{row{"E-06 ordered mutation", "the second webhook sees what the first has done"}, testOrder},
		{row{"E-07 mutation and defaulting", "what a webhook adds gets the defaults that the client's own would"}, testDefaulting},
		{row{"E-08 webhook configurations are exempt", "otherwise a webhook that denies everything could not be deleted"}, testExempt},
		{row{"E-09 mutate custom resource", "patches fit kinds that the server has no Go types for"}, testMutateCustom},
		{row{"E-10 deny CRD creation", "definitions are objects as well, and belong to another server inside the server"}, testDenyDefinition},
		{row{"E-11 different stored version", "webhooks see the version that they have asked for, not the stored one"}, testStoredVersion},
		{row{"E-12 pruning", "what a webhook adds is pruned as what the client sends is"}, testPruning},
		{row{"E-13a honor timeout: too late", "the timeout is the configuration's and is sent to the webhook"}, testTooLate},
		{row{"E-13b honor timeout: ignored", "being late is a failure, and failures can be ignored"}, testLateIgnored},
		{row{"E-13c honor timeout: in time", "a response within the timeout counts"}, testInTime},
		{row{"E-13d honor timeout: by default", "ten seconds are the default, and more than five"}, testTimeoutByDefault},
		{row{"E-14 patching and updating a validating webhook", "an update and a patch are in force soon"}, testChangeValidating},
		{row{"E-15 patching and updating a mutating webhook", "an update and a patch are in force soon"}, testChangeMutating},
		{row{"E-16 listing validating webhooks", "what is deleted together is out of force together"}, testListValidating},
		{row{"E-17 listing mutating webhooks", "what is deleted together is out of force together"}, testListMutating},
		{row{"E-18 match conditions of a validating webhook", "they are stored as they are"}, testConditionsValidating},
		{row{"E-19 match conditions of a mutating webhook", "they are stored as they are"}, testConditionsMutating},
		{row{"E-20 invalid match conditions of a validating webhook", "they are refused before they can do harm"}, testInvalidValidating},
		{row{"E-21 invalid match conditions of a mutating webhook", "they are refused before they can do harm"}, testInvalidMutating},
		{row{"E-22 mutate all but skip-me", "conditions decide for each object"}, testSkip},
	}, func(t *testing.T, r scenario) { r.run(t, newWorld(t, s, r.namespace())) })
}
