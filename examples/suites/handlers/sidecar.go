package handlers

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

const (
	// shipperName is the name of the sidecar.
	shipperName = "log-shipper"
	// shipperImage is pinned, as our own policy wants images to be.
	shipperImage = "registry.example.com/platform/log-shipper:2.4" +
		"@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	// logsVolume is the name of the volume that containers write to, and logsPath where
	// they find it.
	logsVolume = "logs"
	logsPath   = "/var/log/app"
)

// inject adds the sidecar, and gives all containers the volume that it reads. Whatever is
// there already is left as it is.
func inject(q *question[corev1.Pod]) *answer {
	a := &answer{}
	if q.object == nil {
		return a
	}
	spec := &q.object.Spec
	if !slices.ContainsFunc(spec.Volumes, func(v corev1.Volume) bool { return v.Name == logsVolume }) {
		a.insert("/spec/volumes", len(spec.Volumes), "-", volume())
	}
	mount(a, "/spec/initContainers", spec.InitContainers)
	mount(a, "/spec/containers", spec.Containers)
	// The sidecar comes first, so that the logs of other init containers are shipped, and
	// last in the patch, because it moves their indexes.
	if !slices.ContainsFunc(spec.InitContainers, isShipper) {
		a.insert("/spec/initContainers", len(spec.InitContainers), "0", shipper())
	}
	return a
}

// mount mounts the volume in containers in which nothing is mounted there yet.
func mount(a *answer, path string, containers []corev1.Container) {
	taken := func(m corev1.VolumeMount) bool { return m.MountPath == logsPath }
	for i, c := range containers {
		if isShipper(c) || slices.ContainsFunc(c.VolumeMounts, taken) {
			continue
		}
		list := fmt.Sprintf("%s/%d/volumeMounts", path, i)
		a.insert(list, len(c.VolumeMounts), "-", corev1.VolumeMount{Name: logsVolume, MountPath: logsPath})
	}
}

func isShipper(c corev1.Container) bool { return c.Name == shipperName }

func volume() corev1.Volume {
	return corev1.Volume{
		Name:         logsVolume,
		VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}},
	}
}

// shipper returns the sidecar: an init container that is never done. It asks for no
// resources: what a container gets without asking is decided in one place.
func shipper() corev1.Container {
	return corev1.Container{
		Name:          shipperName,
		Image:         shipperImage,
		RestartPolicy: new(corev1.ContainerRestartPolicyAlways),
		VolumeMounts:  []corev1.VolumeMount{{Name: logsVolume, MountPath: logsPath, ReadOnly: true}},
	}
}
