package mutants

import "slices"

// registrations are faults in what a configuration means, and in which are
// valid.
func registrations() []fault {
	return slices.Concat(defaults(), validation(), decoding())
}

// defaults are faults in what absent fields mean.
func defaults() []fault {
	const file = "admission/registration/default.go"
	return []fault{
		{"default failurePolicy of v1", file, `fields.SetIfAbsent(failure, registrationv1.Fail)`, `fields.SetIfAbsent(failure, PICK(registrationv1.Ignore, registrationv1.Fail))`},
		{"default matchPolicy of v1", file, `fields.SetIfAbsent(match, registrationv1.Equivalent)`, `fields.SetIfAbsent(match, PICK(registrationv1.Exact, registrationv1.Equivalent))`},
		{"default timeout", file, `fields.SetIfAbsent(timeout, 10)`, `fields.SetIfAbsent(timeout, PICK(int32(30), 10))`},
		{"default reinvocationPolicy of v1", file, `registrationv1.NeverReinvocationPolicy)
		}
	case *registrationv1.V`, `PICK(registrationv1.IfNeededReinvocationPolicy, registrationv1.NeverReinvocationPolicy))
		}
	case *registrationv1.V`},
		{"default of selectors", file, `fields.SetIfAbsent(selector, metav1.LabelSelector{})`, `if !MUTANT { fields.SetIfAbsent(selector, metav1.LabelSelector{}) }`},
		{"default of scope", file, `registrationv1.AllScopes`, `PICK(registrationv1.NamespacedScope, registrationv1.AllScopes)`},
		{"default port", file, `fields.SetIfAbsent(&service.Port, 443)`, `fields.SetIfAbsent(&service.Port, PICK(int32(80), 443))`},
		{"defaults replace what is there", "admission/registration/internal/fields/values.go", `if *at == nil {`, `if *at == nil || MUTANT {`},
		{"default timeout of v1beta1", file, `fields.SetIfAbsent(timeout, 30)`, `fields.SetIfAbsent(timeout, PICK(int32(10), 30))`},
		{"default of no review versions", file, `if len(*versions) == 0 {`, `if *versions == nil || !MUTANT && len(*versions) == 0 {`},
		{"default review version is v1", file, `admissionv1beta1.SchemeGroupVersion.Version}`, `PICK("v1", admissionv1beta1.SchemeGroupVersion.Version)}`},
	}
}

// validation are faults in the rules, and in when they do not apply.
func validation() []fault {
	const (
		validate, versions, update = "admission/registration/validate.go", "admission/registration/versions.go", "admission/registration/update.go"
		clients, conditions, rules = "admission/registration/clientconfig.go", "admission/registration/internal/fields/conditions.go", "admission/registration/internal/fields/rules.go"
		metadata                   = "admission/registration/internal/fields/metadata.go"
	)
	return []fault{
		{"timeouts of more than 30 seconds", validate, `*seconds <= maxTimeoutSeconds`, `(*seconds <= maxTimeoutSeconds || MUTANT)`},
		{"webhooks of one name", validate, `!val.ratchets.repeatedNames {`, `!val.ratchets.repeatedNames && !MUTANT {`},
		{"v1beta1 is as strict as v1", validate, `anySideEffects: v.beta`, `anySideEffects: v.beta && !MUTANT`},
		{"static names may be created", validate, `fields.ReservedName(v.meta.Name),`, `PICK(nil, fields.ReservedName(v.meta.Name)),`},
		{"static names may not be static", "admission/registration/static.go", `val.webhooks(v.webhooks),`, `val.webhooks(v.webhooks), PICK(fields.ReservedName(v.meta.Name), nil),`},
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
		{"stored expressions are new", validate, `knownExpressions[expression])`, `knownExpressions[expression] && !MUTANT)`},
		{"spaces around expressions", conditions, `strings.TrimSpace(text)`, `PICK(text, strings.TrimSpace(text))`},
		{"star beside operations", rules, `slices.Contains(entries, Everything):`, `slices.Contains(entries, Everything) && !MUTANT:`},
		{"subresources that a wildcard covers", rules, `if s.subresource[subresource] {`, `if s.subresource[subresource] && !MUTANT {`},
		{"wildcards after what they cover", rules, `s.plain = entry != Everything`, `s.plain = s.plain && MUTANT || entry != Everything`},
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

// decoding are faults in decoding and in its errors.
func decoding() []fault {
	const decode, yaml, warnings, convert = "admission/registration/internal/decoding/decode.go", "admission/registration/internal/decoding/yaml.go", "admission/registration/warnings.go", "admission/registration/internal/fields/convert.go"
	return []fault{
		{"unknown fields are no errors", decode, `case mode == metav1.FieldValidationStrict:`, `case mode == metav1.FieldValidationStrict && !MUTANT:`},
		{"unknown fields are told of in any mode", decode, `|| mode == metav1.FieldValidationIgnore:`, `|| mode == metav1.FieldValidationIgnore && !MUTANT:`},
		{"second document is left out", yaml, `!errors.Is(err, io.EOF) {
		return errors`, `!errors.Is(err, io.EOF) && !MUTANT {
		return errors`},
		{"duplicates in YAML", yaml, `YAMLToJSONStrict(data); err != nil {`, `YAMLToJSONStrict(data); err != nil && !MUTANT {`},
		{"warnings are told twice", warnings, `if !slices.Contains(warnings, warning) {`, `if !slices.Contains(warnings, warning) || MUTANT {`},
		{"warnings of wildcards", warnings, `slices.Contains(r.Resources, fields.Everything) {`, `slices.Contains(r.Resources, fields.Everything) && !MUTANT {`},
		{"objects without a type get one", convert, `if t.APIVersion != "" {`, `if t.APIVersion != "" || MUTANT {`},
		{"the type is still v1beta1", convert, `t.APIVersion = registrationv1.SchemeGroupVersion.String()`, `t.APIVersion = PICK(t.APIVersion, registrationv1.SchemeGroupVersion.String())`},
		{"webhooks are lost", convert, `_ = json.Unmarshal(text, &converted)`, `_ = json.Unmarshal(PICK(nil, text), &converted)`},
	}
}
