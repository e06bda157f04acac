package mutants

import "slices"

// registrations are faults in what a configuration means, and in which are valid.
func registrations() []fault {
	return slices.Concat(defaults(), validation(), decoding())
}

// defaults are faults in what absent fields mean.
func defaults() []fault {
	const both, v1, beta = "admission/registration/default.go", "admission/registration/default_v1.go", "admission/registration/default_v1beta1.go"
	return []fault{
		{"default failurePolicy of mutating webhooks", v1, "fill(registrationv1.Fail, registrationv1.Equivalent, defaultTimeoutSeconds)\n\t\tset", "fill(PICK(registrationv1.Ignore, registrationv1.Fail), registrationv1.Equivalent, defaultTimeoutSeconds)\n\t\tset"},
		{"default matchPolicy of validating webhooks", v1, "fill(registrationv1.Fail, registrationv1.Equivalent, defaultTimeoutSeconds)\n\t}", "fill(registrationv1.Fail, PICK(registrationv1.Exact, registrationv1.Equivalent), defaultTimeoutSeconds)\n\t}"},
		{"default timeout", v1, `const defaultTimeoutSeconds int32 = 10`, `var defaultTimeoutSeconds int32 = PICK(int32(30), 10)`},
		{"default reinvocationPolicy of v1", v1, `registrationv1.NeverReinvocationPolicy`, `PICK(registrationv1.IfNeededReinvocationPolicy, registrationv1.NeverReinvocationPolicy)`},
		{"default of objectSelector", both, `setIfAbsent(f.objectSelector, metav1.LabelSelector{})`, `if !MUTANT { setIfAbsent(f.objectSelector, metav1.LabelSelector{}) }`},
		{"default of scope", both, `registrationv1.AllScopes`, `PICK(registrationv1.NamespacedScope, registrationv1.AllScopes)`},
		{"default port", both, `setIfAbsent(f.servicePort, defaultServicePort)`, `setIfAbsent(f.servicePort, PICK(80, defaultServicePort))`},
		{"defaults replace what is there", both, `if *field == nil {`, `if *field == nil || MUTANT {`},
		{"default timeout of v1beta1", beta, `const defaultTimeoutSecondsBeta int32 = 30`, `var defaultTimeoutSecondsBeta int32 = PICK(int32(10), 30)`},
		{"default of no review versions", beta, `if len(*versions) == 0 {`, `if *versions == nil || !MUTANT && len(*versions) == 0 {`},
		{"default review version is v1", beta, `admissionv1beta1.SchemeGroupVersion.Version}`, `PICK("v1", admissionv1beta1.SchemeGroupVersion.Version)}`},
	}
}

// validation are faults in the rules, and in when they do not apply.
func validation() []fault {
	const (
		validate, versions, update = "admission/registration/validate.go", "admission/registration/versions.go", "admission/registration/update.go"
		clients, conditions, rules = "admission/registration/clientconfig.go", "admission/registration/conditions.go", "admission/registration/rules.go"
		metadata                   = "admission/registration/metadata.go"
	)
	return []fault{
		{"timeouts of more than 30 seconds", validate, `*seconds <= maxTimeoutSeconds`, `(*seconds <= maxTimeoutSeconds || MUTANT)`},
		{"webhooks of one name", validate, `!val.ratchets.repeatedNames {`, `!val.ratchets.repeatedNames && !MUTANT {`},
		{"v1beta1 is as strict as v1", validate, `anySideEffects: v.beta`, `anySideEffects: v.beta && !MUTANT`},
		{"static names may be created", validate, `reservedName(v.meta.Name),`, `PICK(nil, reservedName(v.meta.Name)),`},
		{"static names may not be static", "admission/registration/static.go", `val.webhooks(v.webhooks),`, `val.webhooks(v.webhooks), PICK(reservedName(v.meta.Name), nil),`},
		{"label values that no label has", validate, `AllowInvalidLabelValueInSelector: val.ratchets.anyLabelValues,`, `AllowInvalidLabelValueInSelector: val.ratchets.anyLabelValues || MUTANT,`},
		{"http is allowed", clients, `if u.Scheme != "https" {`, `if u.Scheme != "https" && !MUTANT {`},
		{"users in URLs", clients, `if u.User != nil {`, `if u.User != nil && !MUTANT {`},
		{"neither url nor service", clients, `case (c.URL == nil) == (c.Service == nil):`, `case c.URL != nil && c.Service != nil, !MUTANT && c.URL == nil && c.Service == nil:`},
		{"slash at the end of a path", clients, `strings.TrimSuffix((*path)[1:], "/")`, `PICK((*path)[1:], strings.TrimSuffix((*path)[1:], "/"))`},
		{"any port", clients, `len(messages) > 0 {
		return field.ErrorList{field.Invalid(at, number`, `len(messages) > 0 && !MUTANT {
		return field.ErrorList{field.Invalid(at, number`},
		{"one condition more", conditions, `n > maxMatchConditions {`, `n > maxMatchConditions+PICK(1, 0) {`},
		{"conditions of one name", conditions, `seen[c.Name] {`, `seen[c.Name] && !MUTANT {`},
		{"stored expressions are new", conditions, `knownExpressions[text])`, `knownExpressions[text] && !MUTANT)`},
		{"spaces around expressions", conditions, `strings.TrimSpace(text)`, `PICK(text, strings.TrimSpace(text))`},
		{"star beside operations", rules, `slices.Contains(entries, everything):`, `slices.Contains(entries, everything) && !MUTANT:`},
		{"subresources that a wildcard covers", rules, `if s.subresource[subresource] {`, `if s.subresource[subresource] && !MUTANT {`},
		{"wildcards after what they cover", rules, `s.plain = entry != everything`, `s.plain = s.plain && MUTANT || entry != everything`},
		{"empty versions", rules, `if entry == "" {`, `if entry == "" && !MUTANT {`},
		{"only unknown review versions", versions, `!val.ratchets.unknownVersions {`, `!val.ratchets.unknownVersions && !MUTANT {`},
		{"ratchet of side effects never opens", update, `slices.ContainsFunc(old.webhooks, hasSideEffects)`, `slices.ContainsFunc(PICK(nil, old.webhooks), hasSideEffects)`},
		{"ratchet of names never opens", update, `repeatsName(old.webhooks)`, `repeatsName(PICK(nil, old.webhooks))`},
		{"ratchet of versions looks at new webhooks", update, `slices.ContainsFunc(old.webhooks, speaksOnlyUnknown)`, `slices.ContainsFunc(PICK(v.webhooks, old.webhooks), speaksOnlyUnknown)`},
		{"ratchet of conditions is always open", update, `slices.EqualFunc(v.webhooks, old.webhooks, equalConditions)`, `PICK(true, slices.EqualFunc(v.webhooks, old.webhooks, equalConditions))`},
		{"kinds may be mixed", update, `if v.phase != before.phase {`, `if v.phase != before.phase && !MUTANT {`},
		{"updates need a resourceVersion", metadata, `if meta.ResourceVersion == "" {`, `if meta.ResourceVersion == "" && !MUTANT {`},
		{"another object of the name", metadata, `if meta.UID == "" || old.UID == "" {`, `if meta.UID == "" || old.UID == "" || MUTANT {`},
		{"problems are told twice", metadata, `!seen[text] {`, `(!seen[text] || MUTANT) {`},
		{"generateName is no name", metadata, `meta.GenerateName != "" {`, `meta.GenerateName != "" && !MUTANT {`},
	}
}

// decoding are faults in what is read, and in what is said about it.
func decoding() []fault {
	const decode, yaml, warnings, convert = "admission/registration/decode.go", "admission/registration/yaml.go", "admission/registration/warnings.go", "admission/registration/convert.go"
	return []fault{
		{"unknown fields are no errors", decode, `case mode == Strict:`, `case mode == Strict && !MUTANT:`},
		{"unknown fields are told of in any mode", decode, `|| mode == Ignore:`, `|| mode == Ignore && !MUTANT:`},
		{"second document is left out", yaml, `!errors.Is(err, io.EOF) {
		return errors`, `!errors.Is(err, io.EOF) && !MUTANT {
		return errors`},
		{"duplicates in YAML", yaml, `YAMLToJSONStrict(data); err != nil {`, `YAMLToJSONStrict(data); err != nil && !MUTANT {`},
		{"warnings are told twice", warnings, `if !slices.Contains(warnings, warning) {`, `if !slices.Contains(warnings, warning) || MUTANT {`},
		{"warnings of wildcards", warnings, `slices.Contains(r.Resources, everything) {`, `slices.Contains(r.Resources, everything) && !MUTANT {`},
		{"objects without a type get one", convert, `if t.APIVersion != "" {`, `if t.APIVersion != "" || MUTANT {`},
		{"absent lists are empty", convert, `if from == nil {`, `if from == nil && !MUTANT {`},
		{"reinvocationPolicy is lost", convert, `ReinvocationPolicy:      w.ReinvocationPolicy,`, `ReinvocationPolicy: PICK(nil, w.ReinvocationPolicy),`},
	}
}
