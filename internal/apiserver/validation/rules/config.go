package rules

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validate/content"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func configRules() []rule {
	return []rule{
		on(configMap),
		on(secret),
		on(resourceQuota),
		on(limitRange),
		on(limitRangeItem),
		on(func(r *corev1.ScopedResourceSelectorRequirement, path *field.Path) field.ErrorList {
			return scopeValues(r, path.Child("values"))
		}),
		on(func(r *rbacv1.Role, _ *field.Path) field.ErrorList { return policyRules(r.Rules, true) }),
		on(func(r *rbacv1.ClusterRole, _ *field.Path) field.ErrorList {
			return policyRules(r.Rules, false)
		}),
		require[rbacv1.AggregationRule]("clusterRoleSelectors"),
		on(func(b *rbacv1.RoleBinding, _ *field.Path) field.ErrorList {
			return roleBinding(b.RoleRef, b.Subjects, []string{"Role", "ClusterRole"})
		}),
		on(func(b *rbacv1.ClusterRoleBinding, _ *field.Path) field.ErrorList {
			return roleBinding(b.RoleRef, b.Subjects, []string{"ClusterRole"})
		}),
	}
}

// maxDataSize is the size of the values of a ConfigMap or Secret.
const maxDataSize = corev1.MaxSecretSize

func configMap(c *corev1.ConfigMap, _ *field.Path) field.ErrorList {
	var errs field.ErrorList
	size := 0
	for _, key := range slices.Sorted(maps.Keys(c.Data)) {
		at := field.NewPath("data").Key(key)
		errs = append(errs, invalid(at, key, validation.IsConfigMapKey(key))...)
		if _, ok := c.BinaryData[key]; ok {
			errs = append(errs, field.Invalid(at, key, "duplicate of key present in binaryData"))
		}
		size += len(c.Data[key])
	}
	for _, key := range slices.Sorted(maps.Keys(c.BinaryData)) {
		at := field.NewPath("binaryData").Key(key)
		errs = append(errs, invalid(at, key, validation.IsConfigMapKey(key))...)
		size += len(c.BinaryData[key])
	}
	if size > maxDataSize {
		errs = append(errs, field.TooLong(nil, "", maxDataSize))
	}
	return errs
}

// secret has errors that name keys, and do not repeat data.
func secret(s *corev1.Secret, _ *field.Path) field.ErrorList {
	var errs field.ErrorList
	path := field.NewPath("data")
	size := 0
	for _, key := range slices.Sorted(maps.Keys(s.Data)) {
		errs = append(errs, invalid(path.Key(key), key, validation.IsConfigMapKey(key))...)
		size += len(s.Data[key])
	}
	if size > maxDataSize {
		errs = append(errs, field.TooLong(path, "", maxDataSize))
	}
	return append(errs, secretType(s, path)...)
}

func secretType(s *corev1.Secret, path *field.Path) field.ErrorList {
	switch s.Type {
	case corev1.SecretTypeServiceAccountToken:
		if s.Annotations[corev1.ServiceAccountNameKey] == "" {
			at := field.NewPath("metadata", "annotations").Key(corev1.ServiceAccountNameKey)
			return field.ErrorList{field.Required(at, "")}
		}
	case corev1.SecretTypeDockercfg:
		return jsonKey(s, path, corev1.DockerConfigKey)
	case corev1.SecretTypeDockerConfigJson:
		return jsonKey(s, path, corev1.DockerConfigJsonKey)
	case corev1.SecretTypeBasicAuth:
		_, user := s.Data[corev1.BasicAuthUsernameKey]
		_, password := s.Data[corev1.BasicAuthPasswordKey]
		if !user && !password {
			return field.ErrorList{
				field.Required(path.Key(corev1.BasicAuthUsernameKey), ""),
				field.Required(path.Key(corev1.BasicAuthPasswordKey), ""),
			}
		}
	case corev1.SecretTypeSSHAuth:
		if len(s.Data[corev1.SSHAuthPrivateKey]) == 0 {
			return field.ErrorList{field.Required(path.Key(corev1.SSHAuthPrivateKey), "")}
		}
	case corev1.SecretTypeTLS:
		var errs field.ErrorList
		for _, key := range []string{corev1.TLSCertKey, corev1.TLSPrivateKeyKey} {
			if _, ok := s.Data[key]; !ok {
				errs = append(errs, field.Required(path.Key(key), ""))
			}
		}
		return errs
	}
	return nil
}

// jsonKey requires a key with JSON.
func jsonKey(s *corev1.Secret, path *field.Path, key string) field.ErrorList {
	value, ok := s.Data[key]
	switch {
	case !ok:
		return field.ErrorList{field.Required(path.Key(key), "")}
	case !json.Valid(value):
		return field.ErrorList{field.Invalid(path.Key(key), "<secret contents redacted>",
			"invalid character in JSON")}
	}
	return nil
}

func resourceQuota(q *corev1.ResourceQuota, _ *field.Path) field.ErrorList {
	var errs field.ErrorList
	path := field.NewPath("spec")
	for _, name := range sortedResources(q.Spec.Hard) {
		at := path.Child("hard").Key(string(name))
		errs = append(errs, invalid(at, string(name), validation.IsQualifiedName(string(name)))...)
		errs = append(errs, nonNegativeQuantity(q.Spec.Hard[name], at)...)
		errs = append(errs, quotaName(name, q.Spec.Hard[name], at)...)
	}
	conflicts := [][2]corev1.ResourceQuotaScope{
		{corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort},
		{corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating},
	}
	for _, pair := range conflicts {
		if slices.Contains(q.Spec.Scopes, pair[0]) && slices.Contains(q.Spec.Scopes, pair[1]) {
			errs = append(errs, field.Invalid(
				path.Child("scopes"), q.Spec.Scopes, "conflicting scopes"))
		}
	}
	return errs
}

// countedResources are the resources of quota that are numbers of objects.
var countedResources = []corev1.ResourceName{
	corev1.ResourcePods, corev1.ResourceQuotas, corev1.ResourceServices,
	corev1.ResourceReplicationControllers, corev1.ResourceSecrets, corev1.ResourceConfigMaps,
	corev1.ResourcePersistentVolumeClaims, corev1.ResourceServicesNodePorts,
	corev1.ResourceServicesLoadBalancers,
}

func quotaName(name corev1.ResourceName, q resource.Quantity, path *field.Path) field.ErrorList {
	text := string(name)
	known := slices.Contains(standardResources, name) || name == corev1.ResourceStorage
	for _, prefix := range []string{"requests.", "limits.", corev1.ResourceHugePagesPrefix} {
		known = known || strings.HasPrefix(text, prefix)
	}
	counted := slices.Contains(countedResources, name)
	switch {
	case counted && q.MilliValue()%1000 != 0:
		return field.ErrorList{field.Invalid(path, q.String(), "must be an integer")}
	case !counted && !known && !strings.Contains(text, "/"):
		return field.ErrorList{field.Invalid(path, text, "must be a standard resource for quota")}
	}
	return nil
}

func scopeValues(r *corev1.ScopedResourceSelectorRequirement, path *field.Path) field.ErrorList {
	switch r.Operator {
	case corev1.ScopeSelectorOpIn, corev1.ScopeSelectorOpNotIn:
		if len(r.Values) == 0 {
			return field.ErrorList{field.Required(path, "must be at least one value "+
				"when `operator` is 'In' or 'NotIn' for scope selector")}
		}
	case corev1.ScopeSelectorOpExists, corev1.ScopeSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			return field.ErrorList{field.Invalid(path, r.Values, "must be no value "+
				"when `operator` is 'Exist' or 'DoesNotExist' for scope selector")}
		}
	default:
		return field.ErrorList{field.Invalid(path, r.Operator, "not a valid selector operator")}
	}
	return nil
}

func limitRange(r *corev1.LimitRange, _ *field.Path) field.ErrorList {
	return duplicates(r.Spec.Limits, field.NewPath("spec", "limits"), "type",
		func(i *corev1.LimitRangeItem) string { return string(i.Type) })
}

func limitRangeItem(i *corev1.LimitRangeItem, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	kinds := []corev1.LimitType{
		corev1.LimitTypeContainer, corev1.LimitTypePod, corev1.LimitTypePersistentVolumeClaim,
	}
	if !strings.Contains(string(i.Type), "/") && !slices.Contains(kinds, i.Type) {
		errs = append(errs, field.Invalid(path.Child("type"), i.Type,
			"must be a standard limit type or fully qualified"))
	}
	if i.Type == corev1.LimitTypePod {
		const message = "may not be specified when `type` is 'Pod'"
		if len(i.Default) > 0 {
			errs = append(errs, field.Forbidden(path.Child("default"), message))
		}
		if len(i.DefaultRequest) > 0 {
			errs = append(errs, field.Forbidden(path.Child("defaultRequest"), message))
		}
	}
	if i.Type == corev1.LimitTypePersistentVolumeClaim {
		_, low := i.Min[corev1.ResourceStorage]
		_, high := i.Max[corev1.ResourceStorage]
		if !low && !high {
			errs = append(errs, field.Required(path.Child("limits"),
				"either minimum or maximum storage value is required, but neither was provided"))
		}
	}
	errs = append(errs, limitNames(i, path)...)
	return append(errs, limitBounds(i, path)...)
}

// limitNames checks the names of resources, and ratios.
func limitNames(i *corev1.LimitRangeItem, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	lists := []struct {
		name string
		list corev1.ResourceList
	}{
		{"max", i.Max},
		{"min", i.Min},
		{"default", i.Default},
		{"defaultRequest", i.DefaultRequest},
		{"maxLimitRequestRatio", i.MaxLimitRequestRatio},
	}
	for _, l := range lists {
		for _, name := range sortedResources(l.list) {
			at := path.Child(l.name).Key(string(name))
			errs = append(errs, invalid(at, string(name), validation.IsQualifiedName(string(name)))...)
		}
	}
	for _, name := range sortedResources(i.MaxLimitRequestRatio) {
		q := i.MaxLimitRequestRatio[name]
		if q.Cmp(resource.MustParse("1")) < 0 {
			at := path.Child("maxLimitRequestRatio").Key(string(name))
			errs = append(errs, field.Invalid(at, q.String(), "ratio "+q.String()+" is less than 1"))
		}
	}
	return errs
}

// limitBounds compares minimum, defaults and maximum.
func limitBounds(i *corev1.LimitRangeItem, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	bounds := []struct {
		low, high         corev1.ResourceList
		lowName, highName string
	}{
		{i.Min, i.Max, "min", "max"},
		{i.Min, i.DefaultRequest, "min", "default request"},
		{i.DefaultRequest, i.Max, "default request", "max"},
		{i.DefaultRequest, i.Default, "default request", "default"},
		{i.Default, i.Max, "default", "max"},
	}
	for _, b := range bounds {
		for _, name := range sortedResources(b.low) {
			low, high := b.low[name], b.high[name]
			if _, ok := b.high[name]; ok && low.Cmp(high) > 0 {
				child, _, _ := strings.Cut(b.lowName, " ")
				if b.lowName != child {
					child = "defaultRequest"
				}
				errs = append(errs, field.Invalid(path.Child(child).Key(string(name)), low.String(),
					b.lowName+" value "+low.String()+" is greater than "+b.highName+" value "+high.String()))
			}
		}
	}
	return errs
}

func policyRules(rules []rbacv1.PolicyRule, namespaced bool) field.ErrorList {
	var errs field.ErrorList
	for i, r := range rules {
		errs = append(errs, policyRule(r, namespaced, field.NewPath("rules").Index(i))...)
	}
	return errs
}

func policyRule(r rbacv1.PolicyRule, namespaced bool, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(r.Verbs) == 0 {
		errs = append(errs, field.Required(path.Child("verbs"), "verbs must contain at least one value"))
	}
	if len(r.NonResourceURLs) > 0 {
		at := path.Child("nonResourceURLs")
		if namespaced {
			errs = append(errs, field.Invalid(at, r.NonResourceURLs,
				"namespaced rules cannot apply to non-resource URLs"))
		}
		if len(r.APIGroups)+len(r.Resources)+len(r.ResourceNames) > 0 {
			errs = append(errs, field.Invalid(at, r.NonResourceURLs,
				"rules cannot apply to both regular resources and non-resource URLs"))
		}
		return errs
	}
	if len(r.APIGroups) == 0 {
		errs = append(errs, field.Required(path.Child("apiGroups"),
			"resource rules must supply at least one api group"))
	}
	if len(r.Resources) == 0 {
		errs = append(errs, field.Required(path.Child("resources"),
			"resource rules must supply at least one resource"))
	}
	return errs
}

func roleBinding(ref rbacv1.RoleRef, subjects []rbacv1.Subject, kinds []string) field.ErrorList {
	var errs field.ErrorList
	path := field.NewPath("roleRef")
	if ref.APIGroup != rbacv1.GroupName {
		errs = append(errs, field.NotSupported(
			path.Child("apiGroup"), ref.APIGroup, []string{rbacv1.GroupName}))
	}
	if !slices.Contains(kinds, ref.Kind) {
		errs = append(errs, field.NotSupported(path.Child("kind"), ref.Kind, kinds))
	}
	if ref.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), ""))
	} else {
		errs = append(errs, invalid(path.Child("name"), ref.Name, content.IsPathSegmentName(ref.Name))...)
	}
	for i, s := range subjects {
		errs = append(errs, subject(s, field.NewPath("subjects").Index(i))...)
	}
	return errs
}

func subject(s rbacv1.Subject, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), ""))
	}
	group := rbacv1.GroupName
	switch s.Kind {
	case rbacv1.ServiceAccountKind:
		group = ""
		if s.Name != "" {
			errs = append(errs, invalid(path.Child("name"), s.Name,
				apivalidation.ValidateServiceAccountName(s.Name, false))...)
		}
		if s.Namespace == "" {
			errs = append(errs, field.Required(path.Child("namespace"), ""))
		}
	case rbacv1.UserKind, rbacv1.GroupKind:
	default:
		return append(errs, field.NotSupported(path.Child("kind"), s.Kind,
			[]string{rbacv1.ServiceAccountKind, rbacv1.UserKind, rbacv1.GroupKind}))
	}
	if s.APIGroup != group {
		errs = append(errs, field.NotSupported(path.Child("apiGroup"), s.APIGroup, []string{group}))
	}
	return errs
}
