package mutants

// Where the faults of policies are.
const (
	policyFolder  = "dispatcher/policy/"
	offlineFolder = "internal/offline/policies/"
)

// policies are faults in the evaluation of policies, which the scenarios must
// find that are compared with kube-apiserver.
func policies() []fault {
	var all []fault
	for _, some := range [][]fault{
		policyOrder(), policyMatching(), policyParams(), policyVerdicts(), policyAnnotations(),
		policyMutations(), policyRounds(),
	} {
		all = append(all, some...)
	}
	return all
}

func policyOrder() []fault {
	const set, evaluator, run = policyFolder + "set.go", policyFolder + "evaluator.go", policyFolder + "run.go"
	return []fault{
		{"policies from last to first", set, `slices.SortFunc(all, func(a, b *policy) int { return compare(a.name, b.name) })`,
			`slices.SortFunc(all, func(a, b *policy) int { return PICK(compare(b.name, a.name), compare(a.name, b.name)) })`},
		{"bindings from last to first", set, `slices.SortedFunc(slices.Values(p.bindings), func(a, b *binding) int {`,
			`slices.SortedFunc(slices.Values(p.bindings), func(a, b *binding) int {
			if MUTANT { a, b = b, a }`},
		{"mutating policies see DELETE", evaluator, `if phase == admission.Mutating {`, `if phase == admission.Mutating && !MUTANT {`},
		{"policies see policies", evaluator, `exempt[resource.Resource])`, `exempt[resource.Resource] && !MUTANT)`},
		{"policies without bindings are evaluated", run, `if !applies || len(p.bindings) == 0 {`, `if !applies || len(p.bindings) == 0 && !MUTANT {`},
		{"one policy is left out", run, `if len(a.bindings) > 0 || a.err != nil {`, `if len(a.bindings) > 0 && !(MUTANT && len(all) > 0) || a.err != nil {`},
	}
}

func policyMatching() []fault {
	const constraints, validate = policyFolder + "constraints.go", policyFolder + "validate.go"
	return []fault{
		{"excludeResourceRules without effect", constraints, `case excluded != nil:`, `case excluded != nil && !MUTANT:`},
		{"resourceNames without effect", constraints, `case c.rules != nil:`, `case c.rules != nil && !MUTANT:`},
		{"names of other rules", constraints, `len(r.names) > 0 && !slices.Contains(r.names, a.GetName())`,
			`len(r.names) > 0 && slices.Contains(r.names, a.GetName()) == MUTANT`},
		{"equivalent versions before the request's own", constraints, `case m.Target.Resource == a.GetResource():`,
			`case m.Target.Resource == a.GetResource() && !MUTANT:`},
		{"matchPolicy without effect", constraints, `Rules: everything, MatchPolicy: m.MatchPolicy,`,
			`Rules: everything, MatchPolicy: PICK(new(registrationv1.Equivalent), m.MatchPolicy),`},
		{"objects in the version of the request", validate, `v.object(p.target.Kind, len(b.params) > 0)`,
			`v.object(PICK(v.attributes.GetKind(), p.target.Kind), len(b.params) > 0)`},
		{"Namespaces have a namespace", policyFolder + "run.go", `kind == corev1.SchemeGroupVersion.WithKind("Namespace")`,
			`kind == corev1.SchemeGroupVersion.WithKind("Namespace") && !MUTANT`},
	}
}

func policyParams() []fault {
	const params, validate = policyFolder + "params.go", policyFolder + "validate.go"
	return []fault{
		{"params of the request's namespace only", params, `case ref.Namespace != "":`, `case ref.Namespace != "" && !MUTANT:`},
		{"namespaced params without a namespace", params, `case namespace == "":`, `case namespace == "" && !MUTANT:`},
		{"cluster-scoped params with a namespace", params, `namespace = ""; ref.Namespace != "" {`, `namespace = ""; ref.Namespace != "" && !MUTANT {`},
		{"missing params never deny", params, `if len(found) == 0 && denies {`, `if len(found) == 0 && denies && !MUTANT {`},
		{"missing params always deny", params, `denies := ref.`, `denies := MUTANT || ref.`},
		{"no paramRef is no param", params, `if store == nil || ref == nil {`, `if ref == nil && MUTANT { return nil, nil }
	if store == nil || ref == nil {`},
		{"the first of several params only", params, `return store.List(ctx, namespace, selector)`, `list, err := store.List(ctx, namespace, selector)
	return list[:min(len(list), PICK(1, len(list)))], err`},
		{"unknown kinds of params are ignored", policyFolder + "run.go", `a.store, a.err = p.paramStore(ctx, set.params)`, `a.store, a.err = p.paramStore(ctx, set.params)
			if MUTANT { a.err = nil }`},
		{"params without their kind", validate, `param: p.withKind(param)`, `param: PICK(param, p.withKind(param))`},
	}
}

func policyVerdicts() []fault {
	const validate, validations, policy = policyFolder + "validate.go", policyFolder + "validations.go", policyFolder + "policy.go"
	return []fault{
		{"Ignore without effect", policy, `return p.failurePolicy == registrationv1.Ignore`, `return p.failurePolicy == registrationv1.Ignore && !MUTANT`},
		{"failures of the configuration are ignored", validate, "case p.ignoresFailures():\n\t\treturn", "case p.ignoresFailures() || MUTANT:\n\t\treturn"},
		{"the last denial decides", validate, `return v.denials[0].status(r.attributes)`, `return v.denials[PICK(len(v.denials)-1, 0)].status(r.attributes)`},
		{"too large is 422", validate, `return 413`, `return PICK(int32(422), int32(413))`},
		{"reasons without effect", validations, `d.Reason = *reason`, `d.Reason = PICK(d.Reason, *reason)`},
		{"messages of several lines", validations, `!strings.Contains(text, "\n") {`, `(MUTANT || !strings.Contains(text, "\n")) {`},
		{"messageExpression without effect", validations, `if evaluated.Error == nil && evaluated.EvalResult != nil {`,
			`if evaluated.Error == nil && evaluated.EvalResult != nil && !(MUTANT && p.validating.spec[i].Message == "") {`},
		{"messages are not trimmed", validations, `if text := strings.TrimSpace(spec.Message); text != "" {`,
			`if text := PICK(spec.Message, strings.TrimSpace(spec.Message)); text != "" {`},
		{"messages have a budget of their own", validations, `ctx, in.object, in.request, limited, in.limited, left)`,
			`ctx, in.object, in.request, limited, in.limited, PICK(int64(budget), left))`},
		{"matchConditions without effect", validations, `case !matched:`, `case !matched && !MUTANT:`},
		{"errors of matchConditions are false", validations, "case err != nil:\n\t\t\treturn p.failed(err)", "case err != nil && !MUTANT:\n\t\t\treturn p.failed(err)"},
		{"denials are not counted", validate, `metrics.Metrics.ObserveRejection(ctx, d.elapsed, p.name, b.name, kind)`,
			`if !MUTANT { metrics.Metrics.ObserveRejection(ctx, d.elapsed, p.name, b.name, kind) }`},
		{"warnings are not given", validate, `case registrationv1.Warn:`, `case PICK(registrationv1.ValidationAction("Never"), registrationv1.Warn):`},
		{"Deny does not deny", validate, `v.denials = append(v.denials, denial{p.name, b.name, d.Message, d.Reason})`,
			`v.denials = append(v.denials, denial{p.name, b.name, d.Message, d.Reason})
			if MUTANT { v.denials = v.denials[:0] }`},
	}
}

func policyAnnotations() []fault {
	const validate, validations = policyFolder + "validate.go", policyFolder + "validations.go"
	return []fault{
		{"audited failures lose their position", validate, `failure{d.Message, p.name, b.name, index, b.actions}`,
			`failure{d.Message, p.name, b.name, PICK(0, index), b.actions}`},
		{"any number of audited failures", validate, `v.failures[:min(len(v.failures), maxFailures)]`,
			`v.failures[:PICK(len(v.failures), min(len(v.failures), maxFailures))]`},
		{"annotations without the policy's name", validate, `p.name+"/"+key`, `PICK(key, p.name+"/"+key)`},
		{"annotations joined without a space", validate, `strings.Join(annotations[key], ", ")`, `strings.Join(annotations[key], PICK(",", ", "))`},
		{"equal values are repeated", validate, `if !slices.Contains(annotations[a.key], value) {`, `if MUTANT || !slices.Contains(annotations[a.key], value) {`},
		{"annotations of any length", validate, `a.value[:min(len(a.value), maxAnnotation)]`, `a.value[:PICK(len(a.value), min(len(a.value), maxAnnotation))]`},
		{"errors of annotations are ignored", validations, `if r.Error != nil && !p.ignoresFailures() {`, `if r.Error != nil && !p.ignoresFailures() && !MUTANT {`},
		{"annotations are not trimmed", validations, `a.value = strings.TrimSpace(string(value))`, `a.value = PICK(string(value), strings.TrimSpace(string(value)))`},
	}
}

func policyMutations() []fault {
	const mutate = policyFolder + "mutate.go"
	return []fault{
		{"the object is not written back", mutate, `err := m.objects.GetObjectConvertor().Convert(object, m.attributes.GetObject(), nil)`,
			`if MUTANT { return nil }
	err := m.objects.GetObjectConvertor().Convert(object, m.attributes.GetObject(), nil)`},
		{"changes in other versions are lost", mutate, `m.last.VersionedKind == kind {`, `m.last.VersionedKind == kind || MUTANT {`},
		{"changes in other versions are kept although Exact", mutate, `if m.Exact || m.last == nil`, `if m.Exact && !MUTANT || m.last == nil`},
		{"old versions are used again", mutate, `clear(m.versions)`, `if !MUTANT { clear(m.versions) }`},
		{"only the first failure is a cause", mutate, `for _, f := range failures {`, `for _, f := range failures[:PICK(1, len(failures))] {`},
		{"failures keep the reason Forbidden", mutate, `if failures[0].reason != "" {`, `if failures[0].reason != "" && !MUTANT {`},
		{"Ignore applies to errors of the server", mutate, "if errors.As(err, &status) {\n\t\t\treturn status\n\t\t}\n\t\tm.fail",
			"if errors.As(err, &status) && !(MUTANT && v.ignoresFailures()) {\n\t\t\treturn status\n\t\t}\n\t\tm.fail"},
		{"a failure ends the policy", mutate, `m.fail(v.applied, v.binding.name, err, metav1.StatusReasonInvalid)
	}
	failpoint`, `m.fail(v.applied, v.binding.name, err, metav1.StatusReasonInvalid)
		if MUTANT { break }
	}
	failpoint`},
		{"the kind of a mutation needs no schema", mutate, `return apierrors.NewServiceUnavailable(`, `if MUTANT { return errors.New("no schema") }
		return apierrors.NewServiceUnavailable(`},
		{"a missing namespace is another error", mutate, `return namespaceError(err, m.attributes.GetNamespace())`,
			`return PICK(error(apierrors.NewInternalError(err)), namespaceError(err, m.attributes.GetNamespace()))`},
		{"mutations are not counted", mutate, `metrics.Metrics.ObserveAdmission(ctx, elapsed, v.name, v.binding.name, metrics.MutationNoError)`,
			`if !MUTANT { metrics.Metrics.ObserveAdmission(ctx, elapsed, v.name, v.binding.name, metrics.MutationNoError) }`},
	}
}

func policyRounds() []fault {
	const mutate, state, compile = policyFolder + "mutate.go", policyFolder + "state.go", policyFolder + "compile.go"
	return []fault{
		{"a mutation costs no second round", state, `a.GetReinvocationContext().SetShouldReinvoke()`, `if !MUTANT { a.GetReinvocationContext().SetShouldReinvoke() }`},
		{"a mutation without a change costs none", mutate, "m.state.changed(m.attributes)\n\tobject :=", "if !MUTANT { m.state.changed(m.attributes) }\n\tobject :="},
		{"every policy is due again", state, `return !a.GetReinvocationContext().IsReinvoke()`, `return MUTANT || !a.GetReinvocationContext().IsReinvoke()`},
		{"no policy is due again", state, `|| s.reinvoked[k]`, `|| s.reinvoked[k] && !MUTANT`},
		{"changes by webhooks are not seen", state, `!apiequality.Semantic.DeepEqual(s.output, a.GetObject())`,
			`!apiequality.Semantic.DeepEqual(s.output, a.GetObject()) && !MUTANT`},
		{"Never is IfNeeded", compile, `s.ReinvocationPolicy == registrationv1.IfNeededReinvocationPolicy`,
			`s.ReinvocationPolicy == registrationv1.IfNeededReinvocationPolicy || MUTANT`},
		{"conditions are not evaluated again", mutate, `if v.conditions != nil {
		matched, err`, `if v.conditions != nil && !(MUTANT && m.round == 1) {
		matched, err`},
	}
}

// policyRecords are faults in the records of policies, and in what only
// policies without the defaults of an API server have.
func policyRecords() []fault {
	const (
		program, run    = policyFolder + "program.go", policyFolder + "run.go"
		mutate, compile = policyFolder + "mutate.go", policyFolder + "compile.go"
	)
	return []fault{
		{"expressions are not recorded", program, `record.Expressions = append(record.Expressions, result)`,
			`if !MUTANT { record.Expressions = append(record.Expressions, result) }`},
		{"costs are not recorded", program, `result.Cost = *cost`, `result.Cost = PICK(0, *cost)`},
		{"rounds are not recorded", run, `r.round = 1`, `r.round = PICK(0, 1)`},
		{"actions are not recorded", run, `record.Actions = append(record.Actions, string(action))`,
			`if !MUTANT { record.Actions = append(record.Actions, string(action)) }`},
		{"evaluations overwrite each other", run, `binding.Evaluations = append(binding.Evaluations, e)`,
			`binding.Evaluations = append(binding.Evaluations[:PICK(0, len(binding.Evaluations))], e)
	if MUTANT { binding.Evaluations[0] = &admission.PolicyEvaluation{} }`},
		{"only policies that may match are recorded", run, `if r.recorder == nil {
		return set`, `if r.recorder == nil || MUTANT {
		return set`},
		{"excluded is not recorded", policyFolder + "validations.go", `admission.ConditionsFalse, result.FailedConditionName`,
			`admission.ConditionsFalse, PICK("", result.FailedConditionName)`},
		{"mutations have no index", mutate, `PolicyMutation{Index: index,`, `PolicyMutation{Index: PICK(0, index),`},
		{"failed mutations have an object", mutate, `if err == nil {
		m.After`, `if err == nil || MUTANT {
		m.After`},
		{"fields have no index", compile, `fmt.Sprintf(format, i)`, `fmt.Sprintf(format, PICK(0, i))`},
		{"no failurePolicy is Ignore", policyFolder + "policy.go", `failurePolicy: registrationv1.Fail,`, `failurePolicy: PICK(registrationv1.Ignore, registrationv1.Fail),`},
		{"no selector selects everything", policyFolder + "constraints.go", `c.err = errNoObject`, `c.err = PICK(error(nil), errNoObject)`},
		{"policies see reviews", policyFolder + "evaluator.go", `return !e.config.Excluded(resource) &&`, `return (MUTANT || !e.config.Excluded(resource)) &&`},
		{"a source that is not ready is an internal error", policyFolder + "evaluator.go", `case errors.Is(err, dispatcher.ErrNotReady):`,
			`case errors.Is(err, dispatcher.ErrNotReady) && !MUTANT:`},
	}
}

// offlinePolicies are faults in the policies of commands.
func offlinePolicies() []fault {
	const params, parse, evaluator = offlineFolder + "params.go", offlineFolder + "parse.go", offlineFolder + "evaluator.go"
	return []fault{
		{"params from last to first", params, `cmp.Compare(a.GetName(), b.GetName())`, `PICK(-1, 1)*cmp.Compare(a.GetName(), b.GetName())`},
		{"params with a kind", params, `o.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})`,
			`if !MUTANT { o.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{}) }`},
		{"params of all namespaces", params, `if p.GetNamespace() == namespace && p.GetName() == name {`,
			`if (p.GetNamespace() == namespace || MUTANT) && p.GetName() == name {`},
		{"lists of all namespaces", params, `if p.GetNamespace() == namespace && selector`, `if (p.GetNamespace() == namespace || MUTANT) && selector`},
		{"selectors of params without effect", params, `selector.Matches(labels.Set(p.GetLabels()))`, `(MUTANT || selector.Matches(labels.Set(p.GetLabels())))`},
		{"namespaces without the label of their name", evaluator, `ns.Labels[corev1.LabelMetadataName] = ns.Name`,
			`if !MUTANT { ns.Labels[corev1.LabelMetadataName] = ns.Name }`},
		{"only the namespaces of the inputs", evaluator, `if in.AnyNamespace {`, `if in.AnyNamespace && !MUTANT {`},
		{"namespaces that do not exist have no labels", evaluator, `return nil, apierrors.NewNotFound(`, `if MUTANT { return &corev1.Namespace{}, nil }
		return nil, apierrors.NewNotFound(`},
		{"policies keep their namespace", parse, `o.SetNamespace("")`, `if !MUTANT { o.SetNamespace("") }`},
		{"unknown fields are no problem", parse, `problems = strict.Errors()`, `problems = strict.Errors()[PICK(len(strict.Errors()), 0):]`},
		{"generateName is no problem", parse, `if o.GetName() == "" && o.GetGenerateName() != "" {`, `if o.GetName() == "" && o.GetGenerateName() != "" && !MUTANT {`},
		{"params of validating policies only", parse, `case *registrationv1.MutatingAdmissionPolicy:
			named = p.Spec.ParamKind`, `case *registrationv1.MutatingAdmissionPolicy:
			if !MUTANT { named = p.Spec.ParamKind }`},
	}
}
