package draw

import (
	"strings"

	"example.com/gatehouse/internal/equivalence/mention"
)

// common are fields at which webhooks often look. They are edited as well, because it is
// not known at which fields a webhook looks.
var common = []string{
	"metadata.labels.app", "metadata.annotations.a", "metadata.name",
	"spec.containers.*.image", "spec.containers.*.imagePullPolicy",
	"spec.containers.*.securityContext.privileged",
	"spec.containers.*.securityContext.runAsNonRoot",
	"spec.containers.*.securityContext.allowPrivilegeEscalation",
	"spec.containers.*.resources.limits.memory", "spec.containers.*.resources.limits.cpu",
	"spec.containers.*.resources.requests.cpu", "spec.containers.*.ports.*.hostPort",
	"spec.hostNetwork", "spec.hostPID", "spec.serviceAccountName",
	"spec.automountServiceAccountToken", "spec.volumes.*.hostPath", "spec.nodeSelector.a",
	"spec.replicas", "spec.type", "spec.externalIPs", "data.a",
}

// scalarFields returns the fields of the spec that are scalars: a webhook may look at them.
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
	for _, path := range common {
		all = append(all, &mention.Field{Root: mention.Object, Path: strings.Split(path, ".")})
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
