package fields

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ReservedSuffix ends the names of objects in the manifests on a server's disk.
const ReservedSuffix = ".static.k8s.io"

// ReservedName applies R-039, which is in force because the feature gate
// ManifestBasedAdmissionControlConfig is on by default since v1.37.
//
// Compat: R-039: only the name is checked, never generateName, and only when an
// object is created.
func ReservedName(name string) field.ErrorList {
	if !strings.HasSuffix(name, ReservedSuffix) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("metadata", "name"), name,
		`names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API`)}
}

// ReservedNameWarning warns of a name that only an update can have.
//
// Compat: R-061: the text is for a disabled feature gate.
func ReservedNameWarning(name string) []string {
	if !strings.HasSuffix(name, ReservedSuffix) {
		return nil
	}
	return []string{`metadata.name: names ending with ".static.k8s.io" will be reserved for static manifest-based configurations when the ManifestBasedAdmissionControlConfig feature gate is enabled`}
}

// MetadataForCreate applies R-020 to metadata, which it completes as a server
// does.
func MetadataForCreate(meta metav1.ObjectMeta) field.ErrorList {
	if meta.Name == "" && meta.GenerateName != "" {
		// The server would have generated a name by now. Errors of the prefix
		// are about generateName.
		meta.Name = "generated"
	}
	meta.Generation = 1 // whatever was written
	return MetadataOfManifest(meta)
}

// MetadataOfManifest applies R-020 to metadata that a server does not complete.
func MetadataOfManifest(meta metav1.ObjectMeta) field.ErrorList {
	return apivalidation.ValidateObjectMeta(&meta, false, apivalidation.NameIsDNSSubdomain,
		field.NewPath("metadata"))
}

// MetadataForUpdate applies R-047 and then R-020, as a server does. Like the
// server's message, the list has every error once.
func MetadataForUpdate(meta, old metav1.ObjectMeta) field.ErrorList {
	completeForUpdate(&meta, &old)
	at := field.NewPath("metadata")
	return Distinct(slices.Concat(
		apivalidation.ValidateObjectMeta(&meta, false, pathSegmentName, at),
		apivalidation.ValidateObjectMetaUpdate(&meta, &old, at),
		apivalidation.ValidateObjectMeta(&meta, false, apivalidation.NameIsDNSSubdomain, at),
	))
}

// pathSegmentName is what an API server requires of names in every update.
func pathSegmentName(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}

// completeForUpdate sets in meta what a server sets before it compares, and
// what a file lacks because only servers write it. A different UID stays.
func completeForUpdate(meta, old *metav1.ObjectMeta) {
	meta.Generation = old.Generation
	meta.CreationTimestamp = old.CreationTimestamp
	if meta.UID == "" || old.UID == "" {
		meta.UID = old.UID
	}
	if old.DeletionTimestamp != nil {
		meta.DeletionTimestamp = old.DeletionTimestamp
	}
	if meta.DeletionGracePeriodSeconds == nil {
		meta.DeletionGracePeriodSeconds = old.DeletionGracePeriodSeconds
	}
	if meta.ResourceVersion == "" {
		// The caller need not know the revision that it replaces.
		meta.ResourceVersion = "unknown"
	}
}

// Distinct drops the errors whose text came before.
func Distinct(problems field.ErrorList) field.ErrorList {
	var kept field.ErrorList
	seen := map[string]bool{}
	for _, problem := range problems {
		if text := problem.Error(); !seen[text] {
			seen[text] = true
			kept = append(kept, problem)
		}
	}
	return kept
}
