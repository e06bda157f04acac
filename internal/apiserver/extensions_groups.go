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
)

// groupList keeps the groups of custom resources in the list at /apis, without which
// older clients do not find them. Clients of today ask another list, which the
// extensions keep themselves.
type groupList struct {
	definitions extensionslisters.CustomResourceDefinitionLister
	list        discovery.GroupManager
	// taken are the groups that are there anyway; nobody can replace them.
	taken map[string]bool
}

// followGroups starts with the informer. The list is changed by one goroutine.
func followGroups(informer extensionsinformers.CustomResourceDefinitionInformer, list discovery.GroupManager) error {
	g := groupList{informer.Lister(), list, map[string]bool{apiextensionsv1.GroupName: true}}
	for _, r := range append(resources(), reviews()...) {
		g.taken[r.version.Group] = true
	}
	_, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    g.changed,
		UpdateFunc: func(_, object any) { g.changed(object) }, // which cannot change its group
		DeleteFunc: g.changed,
	})
	if err != nil {
		return fmt.Errorf("following CustomResourceDefinitions: %w", err)
	}
	return nil
}

// changed lists the group of a definition that is new, different or gone.
func (g groupList) changed(object any) {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	definition, ok := object.(*apiextensionsv1.CustomResourceDefinition)
	if !ok || g.taken[definition.Spec.Group] {
		return
	}
	group := definition.Spec.Group
	if versions := g.versions(group); len(versions) > 0 {
		g.list.AddGroup(groupOf(group, versions...))
		return
	}
	g.list.RemoveGroup(group)
}

// versions are those that are served of a group, the preferred one first.
func (g groupList) versions(group string) []string {
	// The error is for listers that ask somebody.
	all, _ := g.definitions.List(labels.Everything())
	var versions []string
	for _, definition := range all {
		if definition.Spec.Group == group && apihelpers.IsCRDConditionTrue(definition, apiextensionsv1.Established) {
			versions = append(versions, served(definition)...)
		}
	}
	slices.SortFunc(versions, func(a, b string) int { return apimachineryversion.CompareKubeAwareVersionStrings(b, a) })
	return slices.Compact(versions)
}

func served(definition *apiextensionsv1.CustomResourceDefinition) []string {
	var names []string
	for _, version := range definition.Spec.Versions {
		if version.Served {
			names = append(names, version.Name)
		}
	}
	return names
}
