package rules

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// volumeRules are for the volumes of pods. The name and the source of
// PersistentVolumes are in storage.go.
func volumeRules() []rule {
	return []rule{
		require[corev1.Volume]("name"),
		format[corev1.Volume](validation.IsDNS1123Label, "name"),
		on(func(v *corev1.Volume, path *field.Path) field.ErrorList {
			if isEmpty(v.VolumeSource) {
				return field.ErrorList{field.Required(path, "must specify a volume type")}
			}
			return onlyOne(reflect.ValueOf(v.VolumeSource), path)
		}),
		require[corev1.HostPathVolumeSource]("path"),
		require[corev1.NFSVolumeSource]("server", "path"),
		require[corev1.SecretVolumeSource]("secretName"),
		require[corev1.PersistentVolumeClaimVolumeSource]("claimName"),
		require[corev1.CSIVolumeSource]("driver"),
		require[corev1.KeyToPath]("key", "path"),
		on(func(k *corev1.KeyToPath, path *field.Path) field.ErrorList {
			return relativePath(k.Path, path.Child("path"))
		}),
		fileMode[corev1.SecretVolumeSource]("defaultMode"),
		fileMode[corev1.ConfigMapVolumeSource]("defaultMode"),
		fileMode[corev1.ProjectedVolumeSource]("defaultMode"),
		fileMode[corev1.DownwardAPIVolumeSource]("defaultMode"),
		fileMode[corev1.KeyToPath]("mode"),
		on(configMapName),
		on(func(e *corev1.EmptyDirVolumeSource, path *field.Path) field.ErrorList {
			if e.SizeLimit == nil || e.SizeLimit.Sign() >= 0 {
				return nil
			}
			return field.ErrorList{field.Forbidden(
				path.Child("sizeLimit"), "SizeLimit field must be a valid resource quantity")}
		}),
	}
}

// fileMode makes a rule that a field has the mode of a file.
func fileMode[T any](name string) rule {
	return each[T](func(v reflect.Value, path *field.Path) field.ErrorList {
		if v.Int() >= 0 && v.Int() <= 0o777 {
			return nil
		}
		return field.ErrorList{field.Invalid(
			path, v.Int(), "must be a number between 0 and 0777 (octal), both inclusive")}
	}, name)
}

func configMapName(v *corev1.ConfigMapVolumeSource, path *field.Path) field.ErrorList {
	if v.Name == "" {
		return field.ErrorList{field.Required(path.Child("name"), "")}
	}
	return nil
}

// isEmpty reports whether a struct has its zero value.
func isEmpty[T any](value T) bool { return reflect.ValueOf(value).IsZero() }

// onlyOne returns an error for each pointer of a struct, but the first, that is
// not nil.
func onlyOne(v reflect.Value, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	found := false
	for i := range v.NumField() {
		if v.Field(i).Kind() != reflect.Pointer || v.Field(i).IsNil() {
			continue
		}
		if found {
			at := path.Child(jsonName(v.Type().Field(i)))
			errs = append(errs, field.Forbidden(at, "may not specify more than 1 volume type"))
		}
		found = true
	}
	return errs
}
