package kinds_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestAddCRDErrors(t *testing.T) {
	t.Parallel()
	type crd = apiextensionsv1.CustomResourceDefinition
	type test struct {
		row
		change func(*crd)
		want   string
	}
	rename := func(c *crd, group, plural, kind string) {
		c.Spec.Group, c.Spec.Names.Plural, c.Spec.Names.Kind = group, plural, kind
		c.Name = plural + "." + group
	}
	rows := []test{
		{row{"no group", "the resource would be in the core group"}, func(c *crd) { c.Spec.Group = "" }, `CustomResourceDefinition "widgets.example.com": spec.group is missing`},
		{row{"no plural", "there is no default"}, func(c *crd) { c.Spec.Names.Plural = "" }, `CustomResourceDefinition "widgets.example.com": spec.names.plural is missing`},
		{row{"no kind", "there is no default"}, func(c *crd) { c.Spec.Names.Kind = "" }, `CustomResourceDefinition "widgets.example.com": spec.names.kind is missing`},
		{row{"wrong name", "an API server insists"}, func(c *crd) { c.Name = "widget.example.com" }, `CustomResourceDefinition "widget.example.com": metadata.name must be "widgets.example.com", the plural and the group`},
		{row{"no scope", "there is no default"}, func(c *crd) { c.Spec.Scope = "" }, `CustomResourceDefinition "widgets.example.com": spec.scope is missing: it is Namespaced or Cluster`},
		{row{"wrong scope", "a misspelling must not mean Cluster"}, func(c *crd) { c.Spec.Scope = "namespaced" }, `CustomResourceDefinition "widgets.example.com": spec.scope is "namespaced", which is neither Namespaced nor Cluster`},
		{row{"wrong strategy", "an unknown strategy must not mean None"}, func(c *crd) { c.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: "none"} }, `CustomResourceDefinition "widgets.example.com": spec.conversion.strategy is "none", which is neither None nor Webhook`},
		{row{"no versions", "nothing could be requested"}, func(c *crd) { c.Spec.Versions = nil }, `CustomResourceDefinition "widgets.example.com": spec.versions: none is served`},
		{row{"none served", "nothing could be requested"}, func(c *crd) { c.Spec.Versions = c.Spec.Versions[:1] }, `CustomResourceDefinition "widgets.example.com": spec.versions: none is served`},
		{row{"nameless version", "the version is the name"}, func(c *crd) { c.Spec.Versions[1].Name = "" }, `CustomResourceDefinition "widgets.example.com": spec.versions[1].name is missing`},
		{row{"same version twice", "one would hide the other"}, func(c *crd) { c.Spec.Versions[2].Name = "v1" }, `CustomResourceDefinition "widgets.example.com": spec.versions[2].name: there are two versions "v1"`},
		{row{"built-in kind", "objects would be typed or not, at random"}, func(c *crd) { rename(c, "apps", "rollouts", "Deployment") }, `CustomResourceDefinition "rollouts.apps": the kind Deployment.apps is built in`},
		{row{"built-in resource", "requests would go to one or the other"}, func(c *crd) { rename(c, "apps", "deployments", "Rollout") }, `CustomResourceDefinition "deployments.apps": the resource deployments.apps belongs to a built-in kind`},
		{row{"removed kind", "its Go type still exists"}, func(c *crd) {
			rename(c, "extensions", "olds", "Ingress")
			c.Spec.Versions[1].Name = "v1beta1"
		}, `CustomResourceDefinition "olds.extensions": the kind extensions/v1beta1 Ingress is built in`},
		{row{"twice", "the same file given twice, or two that disagree"}, func(c *crd) { rename(c, "example.com", "gears", "Gear") }, `CustomResourceDefinition "gears.example.com": the resource gears.example.com belongs to CustomResourceDefinition "gears.example.com", which was added before`},
		{row{"same kind", "one kind, two resources"}, func(c *crd) { rename(c, "example.com", "wheels", "Gear") }, `CustomResourceDefinition "wheels.example.com": the kind Gear.example.com belongs to CustomResourceDefinition "gears.example.com", which was added before`},
	}
	testtable.Run(t, rows, func(t *testing.T, test test) {
		r := kinds.New()
		if err := r.AddCRD(gears()); err != nil {
			t.Fatal(err)
		}
		bad := widgets()
		test.change(bad)
		if err := r.AddCRD(bad); err == nil || err.Error() != test.want {
			t.Errorf("%s:\n got %v\nwant %s", test.Why(), err, test.want)
		}
		if err := r.AddCRD(widgets()); err != nil {
			t.Errorf("the bad definition left something behind: %v", err)
		}
	})
}
