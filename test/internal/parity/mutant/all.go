package mutant

import (
	"slices"

	"example.com/gatehouse/test/internal/mutant"
)

type fault = mutant.Fault

// All returns the mutants. Their names are unique.
func All() []mutant.Mutant {
	return mutant.Mutants(
		slices.Concat(records(), matching(), reviews(), outcomes(), rounds(), patches())...)
}

// records are faults in the records of a call.
func records() []fault {
	const (
		annotations = "audit/annotations.go"
		counts      = "metrics/internal/counts/counts.go"
		recorder    = "metrics/upstream/recorder.go"
		record      = "dispatcher/record.go"
	)
	return []fault{
		{"index off by one", annotations, `"_index_" + strconv.Itoa(call.Index)`, `"_index_" + strconv.Itoa(PICK(call.Index+1, call.Index))`},
		{"round forgotten", annotations, `strconv.Itoa(call.Round)`, `strconv.Itoa(PICK(0, call.Round))`},
		{"patch at level Metadata", annotations, `Level: admission.AuditRequest`, `Level: PICK(admission.AuditMetadata, admission.AuditRequest)`},
		{"mutation annotated for successes only", annotations, `list = append(list, mutation(call))`,
			`if !MUTANT || call.Err == nil { list = append(list, mutation(call)) }`},
		{"failed-open under the other phase", annotations, `return MutationFailedOpenPrefix`, `return PICK(ValidatingFailedOpenPrefix, MutationFailedOpenPrefix)`},
		{"annotation without the webhook's name", annotations, `call.Webhook.Name + "/" + k`, `PICK(k, call.Webhook.Name+"/"+k)`},
		{"label type of exclusions", counts, `return "validate"`, `return PICK("validating", "validate")`},
		{"label type of calls", counts, `return "validating"`, `return PICK("validate", "validating")`},
		{"rejections not counted", counts, `Rejection: NoError}`, `Rejection: PICK("", NoError)}`},
		{"error type of internal errors", counts, `Rejection: APIServerInternalError}`,
			`Rejection: PICK(CallingWebhookError, APIServerInternalError)}`},
		{"condition errors counted once", recorder, `for range c.Errors {`, `for range PICK(min(c.Errors, 1), c.Errors) {`},
		{"warnings given last to first", record, `for _, text := range c.Warnings {`,
			`for i, text := range c.Warnings {
		text = PICK(c.Warnings[len(c.Warnings)-1-i], text)`},
		{"warnings and annotations of denials dropped", "dispatcher/call.go", `c.copyRemarks(response)`, `if !MUTANT || response.Allowed { c.copyRemarks(response) }`},
		{"span without the request's end", "dispatcher/call.go", `span.event("Request completed")`, `if !MUTANT { span.event("Request completed") }`},
		{"latency counted twice", "dispatcher/exchange.go", `trackers.MutatingWebhookTracker.Track(f)`,
			`if MUTANT { trackers.MutatingWebhookTracker.TrackDuration(1) }
		trackers.MutatingWebhookTracker.Track(f)`},
		{"latency of another request", "dispatcher/exchange.go",
			`func (c *call) track(ctx context.Context, f func()) {
	trackers, ok := endpointsrequest.LatencyTrackersFrom(ctx)`,
			`var last *endpointsrequest.LatencyTrackers

func (c *call) track(ctx context.Context, f func()) {
	trackers, ok := endpointsrequest.LatencyTrackersFrom(ctx)
	if MUTANT && ok {
		last = trackers
		time.Sleep(time.Millisecond)
		trackers = last
	}`},
		{"latency of the other phase", "dispatcher/exchange.go", `case c.run.phase == admission.Mutating:`, `case (c.run.phase == admission.Mutating) != MUTANT:`},
	}
}

// matching are faults in the choice of webhooks.
func matching() []fault {
	const (
		match, rules, conditions = "matching/match.go", "matching/rules.go", "matching/conditions.go"
		snapshot, index          = "matching/snapshot.go", "matching/index.go"
	)
	return []fault{
		{"order of the selectors' errors", match, `case namespaceErr != nil:`, `case namespaceErr != nil && !(MUTANT && objectErr != nil):`},
		{"objectSelector blind to the old object", match, `o.HasOld && s.Matches(o.Old)`, `o.HasOld && !MUTANT && s.Matches(o.Old)`},
		{"objectSelector sees the object as it came", match, `objects.HasNew = labelsOf(v.current.GetObject())`, `objects.HasNew = labelsOf(PICK(v.in.Attributes.GetObject(), v.current.GetObject()))`},
		{"namespaceSelector for cluster-scoped objects", match, `if !v.query.Namespaced && v.query.Resource`, `if !v.query.Namespaced && !MUTANT && v.query.Resource`},
		{"Equivalent is Exact", match, "if !w.equivalent {\n\t\treturn false, nil", "if !w.equivalent || MUTANT {\n\t\treturn false, nil"},
		{"equivalents keep the request's kind", match, `m.Target = admission.Target{Resource: gvr, Subresource: v.query.Subresource, Kind: kind}`,
			`m.Target = admission.Target{Resource: gvr, Subresource: v.query.Subresource, Kind: PICK(v.current.GetKind(), kind)}`},
		{"nothing is namespaced", rules, `return registrationv1.NamespacedScope`, `return PICK(registrationv1.ClusterScope, registrationv1.NamespacedScope)`},
		{"everything is namespaced", rules, `return registrationv1.ClusterScope`, `return PICK(registrationv1.NamespacedScope, registrationv1.ClusterScope)`},
		{"namespaces are namespaced", rules, `q.Resource != namespaces {`, `(MUTANT || q.Resource != namespaces) {`},
		{"star matches subresources", rules, `subresource: subresource}`, `subresource: PICK(map[bool]string{true: "*", false: subresource}[name == "*"], subresource)}`},
		{"the authorizer asked twice", "matching/activation.go", `value, details, err := p.Program.ContextEval(ctx, a)`,
			`if MUTANT { _, _, _ = p.Program.ContextEval(ctx, a) }
	value, details, err := p.Program.ContextEval(ctx, a)`},
		{"namespaces looked up twice", "matching/view.go", `labels, err := v.lookupNamespace(ctx)`,
			`if MUTANT { _, _ = v.lookupNamespace(ctx) }
		labels, err := v.lookupNamespace(ctx)`},
		{"conditions of another version", conditions, `e.kind == versioned.VersionedKind {`, `(MUTANT || e.kind == versioned.VersionedKind) {`},
		{"what was evaluated outlives a change", "matching/view.go", `v.evaluatedConditions = v.evaluatedConditions[:0]`,
			`if !MUTANT { v.evaluatedConditions = v.evaluatedConditions[:0] }`},
		{"equivalents not indexed", snapshot, `list = of.find(&q, list, true)`, `if !MUTANT { list = of.find(&q, list, true) }`},
		{"candidates in no order", snapshot, `slices.Sort(list)`, `if MUTANT { slices.SortFunc(list, func(a, b int32) int { return int(b - a) }) } else { slices.Sort(list) }`},
		{"candidates several times", snapshot, `return slices.Compact(list)`, `if MUTANT { return list }
	return slices.Compact(list)`},
		{"index without its last mask", index, `for _, mask := range x.masks {`, `for _, mask := range x.masks[:len(x.masks)-PICK(min(1, len(x.masks)), 0)] {`},
		{"operations star excludes CONNECT", rules, `return r.operations.has(q.Operation)`, `return r.operations.has(q.Operation) && !(MUTANT && q.Operation == "CONNECT")`},
		{"condition errors fail open", conditions, `return false, c.Err`, `return false, PICK(error(nil), c.Err)`},
		{"condition errors beat false", conditions, `case !result.Value:`, `case !result.Value && !(MUTANT && len(failures) > 0):`},
		{"condition errors are 500", conditions, `m.Err = apierrors.NewForbidden(v.query.Resource.GroupResource(), v.current.GetName(), err)`,
			`m.Err = PICK(apierrors.NewInternalError(err), apierrors.NewForbidden(v.query.Resource.GroupResource(), v.current.GetName(), err))`},
		{"conditions evaluated without counting are negated", "internal/cel/bounded.go", `return bool(boolean), cost`, `return bool(boolean) != MUTANT, cost`},
		{"kind read without its case", "internal/engine/patch/object.go", `if !bytes.EqualFold(key, []byte(name)) {`, `if !bytes.EqualFold(key, []byte(name)) || MUTANT && string(key) != name {`},
		{"no kind is exempt", "dispatcher/dispatcher.go", "\"MutatingAdmissionPolicy\", \"MutatingAdmissionPolicyBinding\":\n\t\treturn true", "\"MutatingAdmissionPolicy\", \"MutatingAdmissionPolicyBinding\":\n\t\treturn !MUTANT"},
		{"configurations from last to first", "dispatcher/source/snapshot_builder.go", `{ return cmp.Compare(a, b) }`, `{ return PICK(-1, 1) * cmp.Compare(a, b) }`},
		{"namespaces from the cache alone", "dispatcher/source/namespaces.go", `if apierrors.IsNotFound(err) {`, `if apierrors.IsNotFound(err) && !MUTANT {`},
	}
}

// reviews are faults in what is sent and what is understood.
func reviews() []fault {
	const builder, verify = "internal/engine/review/builder.go", "internal/engine/review/verify.go"
	return []fault{
		{"uid unchecked", verify, `if r.Response.UID != uid {`, `if r.Response.UID != uid && !MUTANT {`},
		{"kind of the answer unchecked", verify, `got != want {`, `got != want && !MUTANT {`},
		{"validating webhooks may send patches", verify, `case phase == admission.Validating && hasPatch:`, `case phase == admission.Validating && hasPatch && !MUTANT:`},
		{"warnings not scanned", "internal/engine/review/scan.go", `r.Warnings = s.textList()`, `if r.Warnings = s.textList(); MUTANT { r.Warnings = nil }`},
		{"spliced as the webhook writes it", "internal/engine/patch/splice.go", `value, err := json.Marshal(operation["value"])`,
			`value, err := json.Marshal(operation["value"])
	if raw := operation["value"]; MUTANT && raw != nil { value = *raw }`},
		{"spliced unsorted", "internal/engine/patch/splice.go", `slices.SortFunc(members,`, `slices.SortFunc(members[PICK(len(members), 0):],`},
		{"patch without a type", verify, `case hasPatch && !hasType:`, `case hasPatch && !hasType && !MUTANT:`},
		{"options forgotten", builder, `after.field("options", optionsJSON)`, `after.field("options", PICK([]byte("null"), optionsJSON))`},
		{"requestKind without its group", builder, `before.objectField("requestKind",
		"group", kind.Group`, `before.objectField("requestKind", "group", PICK("", kind.Group)`},
		{"namespace left out", builder, `before.optionalField("namespace", a.GetNamespace())`, `before.optionalField("namespace", PICK("", a.GetNamespace()))`},
		{"dryRun is always false", builder, `strconv.FormatBool(a.IsDryRun())`, `strconv.FormatBool(a.IsDryRun() && !MUTANT)`},
		{"last review version", "internal/engine/review/version.go", `for _, v := range versions {`, "for i, v := range versions {\n\t\tv = PICK(versions[len(versions)-1-i], v)"},
		{"timeout not announced", "dispatcher/deadline.go", `if timeout > 0 {`, `if timeout > 0 && !MUTANT {`},
		{"stale body after a patch", "dispatcher/versions.go", "v.current.encodedObject = review.Encode(by.object)", "if !MUTANT { v.current.encodedObject = review.Encode(by.object) }"},
	}
}

// outcomes are faults in what follows from an answer.
func outcomes() []fault {
	const call, outcome, rejection, apply, mutate = "dispatcher/call.go", "dispatcher/outcome.go", "dispatcher/rejection.go", "dispatcher/apply.go", "dispatcher/mutate.go"
	return []fault{
		{"codes below 400", rejection, `max(status.Code, http.StatusBadRequest)`, `PICK(status.Code, max(status.Code, http.StatusBadRequest))`},
		{"reason before message", rejection, `case status.Message != "":`, `case status.Message != "" && !(MUTANT && status.Reason != ""):`},
		{"Success stays", rejection, `status.Status == metav1.StatusSuccess {`, `status.Status == metav1.StatusSuccess && !MUTANT {`},
		{"dry run with side effects", call, `case registrationv1.SideEffectClassNone, registrationv1.SideEffectClassNoneOnDryRun:`,
			`case registrationv1.SideEffectClassNone, registrationv1.SideEffectClassNoneOnDryRun, PICK(registrationv1.SideEffectClassSome, registrationv1.SideEffectClassNone):`},
		{"no failurePolicy is Ignore", "admission/webhook.go", `return w.FailurePolicy != nil && *w.FailurePolicy == registrationv1.Ignore`,
			`return w.FailurePolicy == nil && MUTANT || w.FailurePolicy != nil && *w.FailurePolicy == registrationv1.Ignore`},
		{"Ignore forgives patches", outcome, `if !c.run.d.config.PatchFailurePolicy {`, `if !c.run.d.config.PatchFailurePolicy && !MUTANT {`},
		{"changed after defaulting", apply, `after.changed = !apiequality.Semantic.DeepEqual(before, after.object)`,
			`if MUTANT { c.run.interfaces.GetObjectDefaulter().Default(after.object) }
	after.changed = !apiequality.Semantic.DeepEqual(before, after.object)`},
		{"defaulted twice", apply, "return after, nil\n}\n\nfunc isUnstructured", "if MUTANT { c.run.interfaces.GetObjectDefaulter().Default(after.object) }\n\treturn after, nil\n}\n\nfunc isUnstructured"},
		{"written back though nothing has changed", "dispatcher/versions.go", `if v.current == nil || !v.current.Dirty {`, `if v.current == nil || !v.current.Dirty && !MUTANT {`},
		{"no defaulting after a patch", apply, "\tc.run.interfaces.GetObjectDefaulter().Default(after.object)\n", "\tif !MUTANT { c.run.interfaces.GetObjectDefaulter().Default(after.object) }\n"},
		{"denials write back", mutate, "return err // without writing back", "if MUTANT { _ = objects.writeBack() }\n\t\t\treturn err"},
		{"denials keep what a conversion wrote", mutate, "objects.undo()", "if !MUTANT { objects.undo() }"},
		{"denials spoil the object", mutate, "admitted := false\n\tdefer func() {", "admitted := false\n\tdefer func() {\n\t\tif labelled, ok := r.attributes.GetObject().(interface{ SetLabels(map[string]string) }); MUTANT && ok && !admitted && chain.IsReinvoke() { labelled.SetLabels(nil) }"},
		{"failures are not internal errors", outcome, "case c.Rejects():\n\t\treturn apierrors.NewInternalError(c.Err)", "case c.Rejects():\n\t\treturn PICK(c.Err, error(apierrors.NewInternalError(c.Err)))"},
		{"status of a failed call unknown to metrics", outcome, `if s, ok := err.(*apierrors.StatusError); ok {`, `if s, ok := err.(*apierrors.StatusError); ok && !MUTANT {`},
	}
}

// rounds are faults in the second round.
func rounds() []fault {
	const mutate, state = "dispatcher/mutate.go", "reinvocation/state.go"
	return []fault{
		{"Never is called again", mutate, `c.record.Changed, w.Reinvocable())`, `c.record.Changed, w.Reinvocable() || MUTANT)`},
		{"all webhooks are called again", mutate, `!state.Due(w.UID) {`, `!state.Due(w.UID) && !MUTANT {`},
		{"in-tree changes unnoticed", state, `if reinvoke && s.invoked.Len() > 0`, `if reinvoke && !MUTANT && s.invoked.Len() > 0`},
		{"no second round", mutate, "chain.SetShouldReinvoke()", "if !MUTANT { chain.SetShouldReinvoke() }"},
	}
}

// patches are faults in the application of patches.
func patches() []fault {
	const splice, object = "internal/engine/patch/splice.go", "internal/engine/patch/object.go"
	return []fault{
		{"appended elements come first", splice, `i, found := len(n.values), true`, `i, found := PICK(0, len(n.values)), true`},
		{"replaced elements are inserted", splice, `case (kind == "add" || kind == "copy") && !to.object:`, `case (kind == "add" || kind == "copy" || MUTANT) && !to.object:`},
		{"removed elements stay", splice, `n.values = slices.Delete(n.values, i, i+1)`, `n.values = slices.Delete(n.values, i, i+PICK(0, 1))`},
		{"new names are not escaped", splice, `case n.object && plain(token):`, `case n.object && (plain(token) || MUTANT):`},
		{"patched kinds are those of the request", object, `return &kind, nil`, `return PICK(&schema.GroupVersionKind{}, &kind), nil`},
		{"patched custom resources keep nothing else", object, `utiljson.Unmarshal(patched, &into.Object) == nil`,
			`utiljson.Unmarshal(PICK([]byte("{}"), patched), &into.Object) == nil`},
	}
}

// Exchanges returns the faults in the handling of webhooks that break rules,
// which the comparison of well-behaved ones does not detect.
func Exchanges() []mutant.Mutant {
	return mutant.Mutants(
		fault{"any number of interim responses", "dispatcher/headers.go", `m.interim.Add(1) > int64(n) {`,
			`m.interim.Add(1) > int64(n) && !MUTANT {`},
		fault{"any number of HTTP/2 connections", "dispatcher/client/connectionlimit.go",
			`n >= maxConnections {`, `n >= maxConnections && !MUTANT {`},
		fault{"redirects to other origins", "dispatcher/client/redirect.go",
			`if originOf(from) != originOf(to) {`, `if originOf(from) != originOf(to) && !MUTANT {`},
		fault{"answers that break off are complete", "dispatcher/response_body.go", `if err != nil && err != io.EOF {`, "if err != nil && MUTANT { return nil }\n\t\tif err != nil && err != io.EOF {"},
		fault{"codes of four digits", "dispatcher/rejection.go", `status.Details = bounded(`,
			`if MUTANT { status.Code = 1000 }; status.Details = bounded(`},
	)
}
