package draw

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// Valid returns why an API server would reject a case, as far as that follows from the
// types of built-in kinds; nil if they have no reason.
func (c *Case) Valid() error {
	for _, part := range []string{"object", "oldObject"} {
		o, ok := get(c.Fields, requestPart, part).(map[string]any)
		if !ok {
			continue
		}
		if err := c.Endpoint.validObject(o); err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	if c.Endpoint.Namespaced && len(validation.IsDNS1123Label(c.namespace())) > 0 {
		return fmt.Errorf("namespace: %q", c.namespace())
	}
	if c.Endpoint.Operation == admissionv1.Update && c.Endpoint.Subresource == "" {
		for _, path := range fixed[c.Endpoint.Kind.Kind] {
			steps := strings.Split(path, ".")
			object, old := get(c.Fields, requestPart, "object"), get(c.Fields, requestPart, "oldObject")
			if !reflect.DeepEqual(get(object, steps...), get(old, steps...)) {
				return fmt.Errorf("object.%s: an UPDATE cannot change it", path)
			}
		}
	}
	if c.Endpoint.Kind.Kind == "Pod" {
		return c.validPod()
	}
	return nil
}

// fixed are fields that an UPDATE cannot change.
var fixed = map[string][]string{
	"Job": {"spec.template", "spec.selector", "spec.completionMode"},
	"StatefulSet": {
		"spec.selector", "spec.serviceName", "spec.podManagementPolicy", "spec.volumeClaimTemplates",
	},
	"Deployment":            {"spec.selector"},
	"DaemonSet":             {"spec.selector"},
	"ReplicaSet":            {"spec.selector"},
	"Secret":                {"type"},
	"PersistentVolumeClaim": {"spec"},
	"RoleBinding":           {"roleRef"},
	"ClusterRoleBinding":    {"roleRef"},
	"PriorityClass":         {"value"},
	"StorageClass":          {"provisioner", "parameters", "reclaimPolicy"},
}

func (e *Endpoint) validObject(o map[string]any) error {
	if name, ok := get(o, "metadata", "name").(string); ok && e.Group != "rbac.authorization.k8s.io" &&
		len(validation.IsDNS1123Subdomain(name)) > 0 {
		return fmt.Errorf("metadata.name: %q", name)
	}
	if e.of.field("metadata") != nil && get(o, "metadata", "name") == nil {
		return fmt.Errorf("metadata.name: required")
	}
	for _, w := range wants(e.body) {
		v := get(o, w.path...)
		elements, isList := v.([]any)
		if isList && len(elements) == 0 || !isList && !reflect.DeepEqual(v, w.value) {
			return fmt.Errorf("%v: must be %v", w.path, w.value)
		}
	}
	for _, t := range templates {
		if get(get(o, t...), "spec", "ephemeralContainers") != nil {
			return fmt.Errorf("%v.spec.ephemeralContainers: a template has none", t)
		}
	}
	return e.of.valid(o)
}

// valid returns an error about a value that the type does not allow.
func (t *Type) valid(v any) error {
	same := func(e any) bool { return reflect.DeepEqual(e, v) }
	if len(t.enum) > 0 && !slices.ContainsFunc(t.enum, same) {
		return fmt.Errorf("%v: not supported", v)
	}
	switch of := v.(type) {
	case int64:
		if t.least != nil && of < *t.least || t.most != nil && of > *t.most {
			return fmt.Errorf("%d: out of bounds", of)
		}
	case map[string]any:
		return t.validFields(of)
	case []any:
		return t.validElements(of)
	}
	return nil
}

func (t *Type) validFields(of map[string]any) error {
	if t.form == mapping {
		for key, v := range of {
			if err := t.elem.valid(v); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		return nil
	}
	for _, f := range t.fields {
		v, set := of[f.name]
		switch {
		case set:
			if err := f.of.valid(v); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			if items, isList := v.([]any); f.required && isList && len(items) == 0 {
				return fmt.Errorf("%s: required", f.name)
			}
			if word, isText := v.(string); f.required && isText && word == "" {
				return fmt.Errorf("%s: required", f.name)
			}
		case f.required:
			return fmt.Errorf("%s: required", f.name)
		}
	}
	if image, _ := of["image"].(string); t.isContainer() && image == "" {
		return fmt.Errorf("image: required")
	}
	return nil
}

func (t *Type) validElements(all []any) error {
	if t.elem == nil {
		return nil
	}
	seen := map[any]bool{}
	for i, e := range all {
		if err := t.elem.valid(e); err != nil {
			return fmt.Errorf("%d: %w", i, err)
		}
		if key := get(e, t.unique); t.unique != "" && key != nil {
			if seen[key] {
				return fmt.Errorf("%d.%s: %v is there twice", i, t.unique, key)
			}
			seen[key] = true
		}
		if name, _ := get(e, "name").(string); t.unique == servicePort && len(all) > 1 && name == "" {
			return fmt.Errorf("%d.name: required", i)
		}
	}
	return nil
}

// mutable are the fields of a pod's spec that an UPDATE may change, by subresource.
var mutable = map[string][]string{
	"":                    {"activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds"},
	"ephemeralcontainers": {"ephemeralContainers"},
	"resize":              {"containers", "initContainers"},
	"status":              {},
}

// validPod returns an error for an invalid request for a pod: a CREATE cannot have
// ephemeral containers, and an UPDATE can change only few fields of the spec.
func (c *Case) validPod() error {
	r := c.Fields[requestPart]
	object, old := get(r, "object", "spec"), get(r, "oldObject", "spec")
	if c.Endpoint.Operation == admissionv1.Create && get(object, "ephemeralContainers") != nil {
		return fmt.Errorf("object.spec.ephemeralContainers: a CREATE cannot have them")
	}
	fields, ok := mutable[c.Endpoint.Subresource]
	before, isObject := old.(map[string]any)
	now, _ := object.(map[string]any)
	if c.Endpoint.Operation != admissionv1.Update || !ok || !isObject {
		return nil
	}
	for _, all := range []map[string]any{now, before} {
		for name := range all {
			if slices.Contains(fields, name) || reflect.DeepEqual(now[name], before[name]) ||
				c.Endpoint.Subresource == "" && onlyImages(now[name], before[name]) {
				continue
			}
			return fmt.Errorf("object.spec.%s: an UPDATE cannot change it", name)
		}
	}
	return nil
}

// onlyImages reports whether two lists of containers differ in images only.
func onlyImages(a, b any) bool {
	now, ok := a.([]any)
	before, was := b.([]any)
	if !ok || !was || len(now) != len(before) {
		return false
	}
	for i := range now {
		x, _ := now[i].(map[string]any)
		y, _ := before[i].(map[string]any)
		for _, all := range []map[string]any{x, y} {
			for name := range all {
				if name != "image" && !reflect.DeepEqual(x[name], y[name]) {
					return false
				}
			}
		}
	}
	return true
}
