package defaults

import corev1 "k8s.io/api/core/v1"

// volume is for the volumes of pods and of templates alike.
func volume(v *corev1.Volume) {
	s := &v.VolumeSource
	if *s == (corev1.VolumeSource{}) {
		s.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	some(s.Image, func(i *corev1.ImageVolumeSource) { fill(&i.PullPolicy, pullPolicy(i.Reference)) })
	some(
		s.Secret,
		func(o *corev1.SecretVolumeSource) {
			setOnce(&o.DefaultMode, corev1.SecretVolumeSourceDefaultMode)
		},
	)
	some(s.ConfigMap, func(o *corev1.ConfigMapVolumeSource) {
		setOnce(&o.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
	})
	some(s.DownwardAPI, func(o *corev1.DownwardAPIVolumeSource) {
		setOnce(&o.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		each(o.Items, downwardFile)
	})
	some(s.Projected, func(o *corev1.ProjectedVolumeSource) {
		setOnce(&o.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
		each(o.Sources, projection)
	})
	some(s.Ephemeral, func(e *corev1.EphemeralVolumeSource) {
		some(e.VolumeClaimTemplate, func(t *corev1.PersistentVolumeClaimTemplate) { claimSpec(&t.Spec) })
	})
	some(s.HostPath, hostPath)
	some(s.AzureDisk, azureDisk)
	some(s.ISCSI, func(o *corev1.ISCSIVolumeSource) { iscsi(&o.ISCSIInterface) })
	some(s.RBD, func(o *corev1.RBDVolumeSource) { rbd(&o.RBDPool, &o.RadosUser, &o.Keyring) })
	some(s.ScaleIO, func(o *corev1.ScaleIOVolumeSource) { scaleIO(&o.StorageMode, &o.FSType) })
}

func downwardFile(f *corev1.DownwardAPIVolumeFile) {
	some(f.FieldRef, fieldRef)
}

func projection(p *corev1.VolumeProjection) {
	some(p.DownwardAPI, func(d *corev1.DownwardAPIProjection) { each(d.Items, downwardFile) })
	some(
		p.ServiceAccountToken,
		func(t *corev1.ServiceAccountTokenProjection) { setOnce(&t.ExpirationSeconds, hour) },
	)
}

// hour is how long a token is valid, in seconds.
const hour = 60 * 60

// persistentSource is for the sources that volumes of their own may have.
func persistentSource(s *corev1.PersistentVolumeSource) {
	some(s.HostPath, hostPath)
	some(s.AzureDisk, azureDisk)
	some(s.ISCSI, func(o *corev1.ISCSIPersistentVolumeSource) { iscsi(&o.ISCSIInterface) })
	some(
		s.RBD, func(o *corev1.RBDPersistentVolumeSource) { rbd(&o.RBDPool, &o.RadosUser, &o.Keyring) })
	some(
		s.ScaleIO, func(o *corev1.ScaleIOPersistentVolumeSource) { scaleIO(&o.StorageMode, &o.FSType) })
}

// hostPath writes out that nothing is checked before a path is mounted.
func hostPath(o *corev1.HostPathVolumeSource) {
	setOnce(&o.Type, corev1.HostPathUnset)
}

func azureDisk(o *corev1.AzureDiskVolumeSource) {
	setOnce(&o.CachingMode, corev1.AzureDataDiskCachingReadWrite)
	setOnce(&o.Kind, corev1.AzureSharedBlobDisk)
	setOnce(&o.FSType, "ext4")
	setOnce(&o.ReadOnly, false)
}

func iscsi(device *string) {
	fill(device, "default")
}

func rbd(pool, user, keyring *string) {
	fill(pool, "rbd")
	fill(user, "admin")
	fill(keyring, "/etc/ceph/keyring")
}

func scaleIO(mode, fsType *string) {
	fill(mode, "ThinProvisioned")
	fill(fsType, "xfs")
}
