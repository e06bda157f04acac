package draw

import (
	"strings"

	"example.com/gatehouse/internal/equivalence/mention"
)

// common are fields that webhooks often read, with values that often matter. Cases edit
// them as well, because the fields that a webhook reads are not known.
var common = []struct {
	path   string
	values []any
}{
	{"metadata.labels.app", nil},
	{"metadata.labels.*", nil},
	{"metadata.annotations.*", nil},
	{"metadata.name", nil},
	{"spec.containers.*.image", []any{"a:latest", "a", "docker.io/library/a:1", "a@sha256:1"}},
	{"spec.containers.*.imagePullPolicy", nil},
	{"spec.containers.*.securityContext.privileged", nil},
	{"spec.containers.*.securityContext.runAsNonRoot", nil},
	{"spec.containers.*.securityContext.allowPrivilegeEscalation", nil},
	{"spec.containers.*.resources.limits.memory", nil},
	{"spec.containers.*.resources.limits.cpu", nil},
	{"spec.containers.*.resources.requests.cpu", nil},
	{"spec.containers.*.ports.*.hostPort", nil},
	{"spec.volumes.*.hostPath.path", nil},
	{"spec.nodeSelector.a", nil},
	{"spec.externalIPs", []any{"10.0.0.1"}},
	{"data.a", nil},
}

// scalarFields returns the fields of the spec that are scalars: a webhook may read them.
func scalarFields(t *Type) []*mention.Field {
	spec := t.field("spec")
	if spec == nil {
		return nil
	}
	var all []*mention.Field
	for _, f := range spec.of.fields {
		switch f.of.form {
		case object, list, mapping, anything:
		default:
			all = append(all, &mention.Field{Root: mention.Object, Path: []string{"spec", f.name}})
		}
	}
	return all
}

// commonFields returns the fields of common, and those of every request.
func commonFields() []*mention.Field {
	var all []*mention.Field
	for _, c := range common {
		all = append(all, &mention.Field{
			Root: mention.Object, Path: strings.Split(c.path, "."), Values: c.values,
		})
	}
	for _, f := range []mention.Field{
		{Path: []string{"userInfo", "username"}, Values: []any{"system:admin", "system:serviceaccount:a:a"}},
		{Path: []string{"userInfo", "groups"}, Values: []any{"system:masters"}},
		{Path: []string{"dryRun"}},
		{Path: []string{"namespace"}, Values: []any{"kube-system"}},
	} {
		f.Root = mention.Request
		all = append(all, &f)
	}
	return all
}
