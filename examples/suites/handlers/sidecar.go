package handlers

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

const (
	// shipperName is the name of the sidecar.
	shipperName = "log-shipper"
	// shipperImage is pinned, as the image policy requires.
	shipperImage = "registry.example.com/platform/log-shipper:2.4" +
		"@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	// logsVolume is the name of the volume that containers write to, and
	// logsPath its mount path.
	logsVolume = "logs"
	logsPath   = "/var/log/app"
)

// inject adds the sidecar, and mounts the volume that it reads in all
// containers. It does not change what exists.
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
	// The sidecar comes first, so that it ships the logs of other init
	// containers. Its operation comes last, because it shifts their indexes.
	if !slices.ContainsFunc(spec.InitContainers, isShipper) {
		a.insert("/spec/initContainers", len(spec.InitContainers), "0", shipper())
	}
	return a
}

// mount mounts the volume in the containers that have no mount at its path.
func mount(a *answer, path string, containers []corev1.Container) {
	taken := func(m corev1.VolumeMount) bool { return m.MountPath == logsPath }
	for i, c := range containers {
		if isShipper(c) || slices.ContainsFunc(c.VolumeMounts, taken) {
			continue
		}
		list := fmt.Sprintf("%s/%d/volumeMounts", path, i)
		a.insert(list, len(c.VolumeMounts), "-",
			corev1.VolumeMount{Name: logsVolume, MountPath: logsPath})
	}
}

func isShipper(c corev1.Container) bool { return c.Name == shipperName }

func volume() corev1.Volume {
	return corev1.Volume{
		Name:         logsVolume,
		VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}},
	}
}

// shipper returns the sidecar: an init container that keeps running. It has no
// requests; the webhook for requests sets them.
func shipper() corev1.Container {
	return corev1.Container{
		Name:          shipperName,
		Image:         shipperImage,
		RestartPolicy: new(corev1.ContainerRestartPolicyAlways),
		VolumeMounts:  []corev1.VolumeMount{{Name: logsVolume, MountPath: logsPath, ReadOnly: true}},
	}
}
