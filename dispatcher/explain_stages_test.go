package dispatcher_test

import (
	"errors"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/testtable"
)

// when gives the webhook conditions; they are named c0, c1, ….
func when(expressions ...string) func(*admission.Webhook) {
	return func(w *admission.Webhook) {
		w.MatchConditions = nil
		for i, e := range expressions {
			w.MatchConditions = append(w.MatchConditions, registrationv1.MatchCondition{Name: "c" + string(rune('0'+i)), Expression: e})
		}
	}
}

func unmetRows() []missRow {
	const stage = "matchConditions"
	return []missRow{{
		row:  row{"false condition", "the expression says it all"},
		hook: when(`object.metadata.name == "other"`), stage: stage,
		hint:  `"c0" has to be true: object.metadata.name == "other"`,
		helps: fixes(when(`object.metadata.name == "web"`)),
	}, {
		row:  row{"condition on the request", "the other side of the comparison is not in any manifest"},
		hook: when(`request.userInfo.username.startsWith("system:") && request.operation != "DELETE"`), stage: stage,
		hint: `"c0" has to be true: request.userInfo.username.startsWith("system:") && request.operation != "DELETE" ` +
			`(request.userInfo.username is "ann", request.operation is "CREATE")`,
		helps: fixes(when(`request.userInfo.username == "ann"`)),
	}, {
		row:  row{"two conditions", "S-150: all are evaluated, so all can be told"},
		hook: when("true", "1 == 2", "2 == 3"), stage: stage,
		hint:  `"c1" has to be true: 1 == 2; and then "c2" has to be true: 2 == 3`,
		helps: fixes(when("true")),
	}, {
		row:  row{"missing key under Ignore", "S-151: a webhook that fails open skips silently"},
		hook: all(ignoring, when(`object.spec.priority > 3`)), stage: stage,
		hint:  `"c0" fails: no such key: priority: test it with has() or in first, or read it as an optional, object.?a.?b.orValue("")`,
		helps: fixes(when(`object.?spec.?priority.orValue(4) > 3`)),
	}, {
		row:  row{"missing key under Fail", "S-151: an error plus Fail ends the request"},
		hook: when(`object.metadata.labels.tier == "front"`), stage: stage,
		hint:  `"c0" fails: no such key: tier: test it with has() or in first, or read it as an optional, object.?a.?b.orValue("")`,
		helps: fixes(when(`!("tier" in object.metadata.labels)`)),
	}, {
		row:  row{"object of a DELETE", "S-142: it is null"},
		hook: all(anything, ignoring, when(`object.metadata.name == "web"`)), ask: deleting, stage: stage,
		hint:  `"c0" fails: no such key: metadata: a DELETE has no object, only an oldObject: test request.operation first`,
		helps: fixes(when(`request.operation == "DELETE" || object.metadata.name == "web"`)),
	}, {
		row:  row{"old object of a CREATE", "S-142: it is null"},
		hook: all(ignoring, when(`oldObject.metadata.name == "web"`)), stage: stage,
		hint:  `"c0" fails: no such key: metadata: a CREATE has no oldObject: test request.operation first`,
		helps: fixes(when(`request.operation == "CREATE" || oldObject.metadata.name == "web"`)),
	}, {
		row:  row{"unknown variable", "S-140: policies have params, webhooks have not"},
		hook: all(ignoring, when(`params.size > 1`)), stage: stage,
		hint: `"c0" fails: compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container ''): ` +
			"the variables are object, oldObject, request, namespaceObject and authorizer",
		helps: fixes(when("true")),
	}, {
		row:  row{"no comparison", "S-146: what may be a bool will not do"},
		hook: all(ignoring, when(`object.spec.hostNetwork`)), stage: stage,
		hint:  `"c0" fails: compilation error: must evaluate to bool but got dyn: compare it with true`,
		helps: fixes(when(`object.?spec.?hostNetwork.orValue(true) == true`)),
	}, {
		row:  row{"no authorizer", "S-023: the host has no authorizer"},
		hook: all(ignoring, when(`authorizer.requestResource.check("get").allowed()`)), stage: stage,
		hint:  `"c0" fails: no such attribute(s): authorizer.requestResource: no authorizer is configured`,
		helps: fixes(when("true")),
	}}
}

func undueRows() []missRow {
	const stage = "reinvocation"
	const late = "a webhook that was not called in round 0 is never called in round 1; in round 0: "
	return []missRow{{
		row:  row{"policy Never", "the policy is absent, which is Never"},
		hook: mutatingWith(), more: followed, round: 1, stage: stage,
		hint:  "reinvocationPolicy IfNeeded: later.example.com changed metadata.labels.by after it",
		helps: fixes(reinvocable),
	}, {
		row:  row{"policy Never and no change after it", "the policy alone would not help"},
		hook: mutatingWith(), more: preceded, round: 1, stage: stage,
		hint: "reinvocationPolicy IfNeeded alone would not help: nothing changed the object after it",
	}, {
		row:  row{"no change after it", "S-166: it has seen the final object"},
		hook: mutatingWith(reinvocable), more: preceded, round: 1, stage: stage,
		hint: "it is called again only if another webhook or plugin changes the object after it",
	}, {
		row:  row{"too late by a label", "S-165: it matches in round 1, which does not help"},
		hook: mutatingWith(reinvocable, ofObjects(labelled("by", "later"))), more: followed, round: 1, stage: stage,
		hint:  late + "the object lacks the label by=later; later.example.com changes the labels later: to match the new labels, the webhook must come after it",
		helps: fixes(ofObjects(everywhere())),
	}, {
		row:  row{"too late by a condition", "S-165: it matches in round 1, which does not help"},
		hook: mutatingWith(reinvocable, when(`"by" in object.metadata.labels`)), more: followed, round: 1, stage: stage,
		hint: late + `"c0" has to be true: "by" in object.metadata.labels; ` +
			"later.example.com changed metadata.labels.by later: to match the new values, the webhook must come after it",
		helps: fixes(when()),
	}, {
		row:  row{"not in round 1 by another stage", "it was called in round 0, and would be again if it matched"},
		hook: mutatingWith(reinvocable, ofObjects(requiring("by", "DoesNotExist"))), more: followed, round: 1, stage: "objectSelector",
		hint:  "the object has by=later, and the objectSelector excludes the label by",
		helps: fixes(ofObjects(everywhere())),
	}, {
		row:  row{"not in round 1 by two stages", "the policy excludes it, too"},
		hook: mutatingWith(ofObjects(requiring("by", "DoesNotExist"))), more: followed, round: 1, stage: "objectSelector",
		hint:  "the object has by=later, and the objectSelector excludes the label by",
		helps: fixes(reinvocable, ofObjects(everywhere())),
	}, {
		row:  row{"in neither round", "the same change helps in both, so it is said once"},
		hook: mutatingWith(reinvocable, asksFor("DELETE", "", "v1", "pods")), more: followed, round: 1, stage: "rules",
		hint:  "rules[0] is for DELETE, the request is a CREATE: add CREATE",
		helps: fixes(anything),
	}}
}

func closedRows() []missRow {
	exempt := func(r *admission.Request) {
		r.Kind, r.Resource = exemptKind(), exemptKind().GroupVersion().WithResource("validatingadmissionpolicies")
		r.Namespace, r.Object = "", custom(r.Kind, nil)
	}
	return []missRow{{
		row:  row{"exempt kind", "S-012: webhooks do not decide about webhooks"},
		hook: anything, ask: exempt, stage: "exempt kind",
		hint: "only static webhooks receive this: those of manifests in the server's staticManifestsDir, " +
			"with clientConfig.url, in configurations with a name that ends in .static.k8s.io",
	}, {
		row:  row{"excluded resource", "S-011: what is not stored is not shown"},
		hook: anything, stage: "excluded resource",
		ask: func(r *admission.Request) {
			gv := schema.GroupVersion{Group: "authentication.k8s.io", Version: "v1"}
			r.Kind, r.Resource, r.Namespace = gv.WithKind("TokenReview"), gv.WithResource("tokenreviews"), ""
			r.Object = custom(r.Kind, nil)
		},
		hint: "no configuration of a webhook changes that; on the server, the feature gate ExcludeAdmissionWebhookVirtualResources does",
	}, {
		row:  row{"excluded by the host", "hosts may exclude more"},
		more: func(s *testRequest) { s.config = excludingPods(s.config) }, stage: "excluded resource",
		hint: "no configuration of a webhook changes that: the server sends no pods to webhooks",
	}, {
		row: row{"unknown kind of an equivalent", "S-121: the mapper knows a version that the convertor does not"},
		hook: func(w *admission.Webhook) {
			asksFor("CREATE", toys, "v3", "gadgets")(w)
			equivalently(w)
		},
		ask: func(r *admission.Request) {
			r.Kind, r.Resource, r.Object = testKindGVK, toysV1.WithResource("gadgets"), &testKind{Color: "red"}
		},
		more: func(s *testRequest) { s.objects = newTestKindInterfaces() }, stage: "rules",
		hint:  "the server has no kind for an equivalent of gadgets: add a rule for gadgets.toys.example.com itself",
		helps: fixes(asksFor("CREATE", toys, "v1", "gadgets")),
	}, {
		row:  row{"ended by another", "S-190: validating webhooks are all matched before the first is called"},
		more: endedByAnother, stage: "matched",
	}}
}

func excludingPods(before func(*dispatcher.Config)) func(*dispatcher.Config) {
	return func(c *dispatcher.Config) {
		before(c)
		c.Excluded = sets.New(podResource.GroupResource()).Has
	}
}

// endedByAnother adds a webhook whose condition ends the request.
func endedByAnother(s *testRequest) {
	s.webhooks = append(s.webhooks, hook(admission.Validating, "broken", when(`object.metadata.labels.tier == "front"`)))
}

// TestExplainCauses explains why second rounds began.
func TestExplainCauses(t *testing.T) {
	t.Parallel()
	labels := func(key string) exchange { return patches(`[` + addLabel(key, "x") + `]`) }
	type causeRow struct {
		row
		webhooks []*admission.Webhook
		backends backends
		want     string
	}
	testtable.Run(t, []causeRow{{
		row{"seen before", "S-166: who saw the object before the change is due"},
		[]*admission.Webhook{hook(admission.Mutating, "a", reinvocable), hook(admission.Mutating, "b")},
		backends{"a": allow(), "b": labels("b")},
		"reinvocation: b changed metadata.labels.b after a (reinvocationPolicy IfNeeded) had been called",
	}, {
		row{"no webhook before", "S-166: a second round begins, in which no webhook is called"},
		[]*admission.Webhook{hook(admission.Mutating, "a"), hook(admission.Mutating, "b", reinvocable)},
		backends{"a": labels("a"), "b": labels("b")},
		"reinvocation: a changed metadata.labels.a, before which no webhook with reinvocationPolicy IfNeeded had been called",
	}, {
		row{"failed open in between", "S-166: who was called counts, whatever came of it"},
		[]*admission.Webhook{hook(admission.Mutating, "a", reinvocable, ignoring), hook(admission.Mutating, "b")},
		backends{"a": fails(errors.New("gone")), "b": labels("b")},
		"reinvocation: b changed metadata.labels.b after a (reinvocationPolicy IfNeeded) had been called",
	}, {
		row{"nothing changed", "there is no second round"},
		[]*admission.Webhook{hook(admission.Mutating, "a", reinvocable), hook(admission.Mutating, "b")},
		backends{"a": allow(), "b": patches(`[]`)}, "",
	}}, func(t *testing.T, tc causeRow) {
		s := &testRequest{webhooks: tc.webhooks, backends: tc.backends}
		var got string
		for _, r := range explain.Response(s.simulate(t, creation(pod("app", "web")))).Rounds {
			got += r.Cause
		}
		if got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	})
}
