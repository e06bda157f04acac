package apiserver

import (
	"fmt"
	"slices"

	apihelpers "k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensionsinformers "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions/apiextensions/v1"
	extensionslisters "k8s.io/apiextensions-apiserver/pkg/client/listers/apiextensions/v1"
	"k8s.io/apimachinery/pkg/labels"
	apimachineryversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/endpoints/discovery"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/internal/apiserver/registry"
)

// groupDiscovery lists the groups of custom resources in /apis, from which old
// clients learn about them. Current clients use aggregated discovery, to which
// k8s.io/apiextensions-apiserver itself adds the groups.
type groupDiscovery struct {
	definitions extensionslisters.CustomResourceDefinitionLister
	groups      discovery.GroupManager
	// builtIn are the groups of built-in resources, which definitions cannot
	// replace.
	builtIn map[string]bool
}

// addGroupDiscovery updates groups with every event of the informer.
func addGroupDiscovery(
	informer extensionsinformers.CustomResourceDefinitionInformer, groups discovery.GroupManager,
) error {
	g := groupDiscovery{informer.Lister(), groups, map[string]bool{apiextensionsv1.GroupName: true}}
	for _, r := range append(registry.Resources(), registry.Reviews()...) {
		g.builtIn[r.Group] = true
	}
	_, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    g.update,
		UpdateFunc: func(_, object any) { g.update(object) }, // spec.group is immutable
		DeleteFunc: g.update,
	})
	if err != nil {
		return fmt.Errorf("watching CustomResourceDefinitions: %w", err)
	}
	return nil
}

// update updates the group of a definition.
func (g groupDiscovery) update(object any) {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = tombstone.Obj
	}
	definition, ok := object.(*apiextensionsv1.CustomResourceDefinition)
	if !ok || g.builtIn[definition.Spec.Group] {
		return
	}
	group := definition.Spec.Group
	if versions := g.versions(group); len(versions) > 0 {
		g.groups.AddGroup(newAPIGroup(group, versions...))
		return
	}
	g.groups.RemoveGroup(group)
}

// versions returns the served versions of a group, the preferred one first.
func (g groupDiscovery) versions(group string) []string {
	all, _ := g.definitions.List(labels.Everything()) // the lister of an informer never fails
	var versions []string
	for _, definition := range all {
		established := apihelpers.IsCRDConditionTrue(definition, apiextensionsv1.Established)
		if definition.Spec.Group == group && established {
			versions = append(versions, servedVersions(definition)...)
		}
	}
	slices.SortFunc(versions, func(a, b string) int {
		return apimachineryversion.CompareKubeAwareVersionStrings(b, a)
	})
	return slices.Compact(versions)
}

func servedVersions(definition *apiextensionsv1.CustomResourceDefinition) []string {
	var names []string
	for _, version := range definition.Spec.Versions {
		if version.Served {
			names = append(names, version.Name)
		}
	}
	return names
}
