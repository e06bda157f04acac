package defaults

import (
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestVolumes(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"no source", "a volume from nowhere is an empty directory"}, of(volume), `name: v`, `emptyDir: {}`},
		{testtable.Row{"secret", "files that every user may read, 0644"}, of(volume), `secret: {secretName: s}`, `secret.defaultMode: 420`},
		{testtable.Row{"secret with a mode", "zero is a mode"}, of(volume), `secret: {secretName: s, defaultMode: 0}`, ``},
		{testtable.Row{"configMap", "as secrets"}, of(volume), `configMap: {name: c}`, `configMap.defaultMode: 420`},
		{testtable.Row{"downwardAPI", "its files are fields of the pod"}, of(volume), `downwardAPI: {items: [{path: l, fieldRef: {fieldPath: metadata.labels}}, {path: m, resourceFieldRef: {resource: limits.cpu}}]}`, `
			downwardAPI.defaultMode: 420
			downwardAPI.items[0].fieldRef.apiVersion: v1`},
		{testtable.Row{"projected", "the modes are of the volume, not of its sources; tokens live for an hour"}, of(volume), `
projected: {sources: [{serviceAccountToken: {path: token}}, {configMap: {name: c}}, {secret: {name: s}},
  {downwardAPI: {items: [{path: p, fieldRef: {fieldPath: metadata.name}}]}}, {serviceAccountToken: {path: other, expirationSeconds: 600}}]}`, `
			projected.defaultMode: 420
			projected.sources[0].serviceAccountToken.expirationSeconds: 3600
			projected.sources[3].downwardAPI.items[0].fieldRef.apiVersion: v1`},
		{testtable.Row{"ephemeral", "a claim will be made of the template"}, of(volume), `ephemeral: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 1Gi}}}}}`,
			`ephemeral.volumeClaimTemplate.spec.volumeMode: Filesystem`},
		{testtable.Row{"ephemeral without a template", "validation will say so; nothing breaks before that"}, of(volume), `ephemeral: {}`, ``},
		{testtable.Row{"image", "the rules are those of containers"}, of(volume), `image: {reference: models}`, `image.pullPolicy: Always`},
		{testtable.Row{"hostPath", "that nothing is checked is written out, as an empty text"}, of(volume), `hostPath: {path: /}`, `hostPath.type:`},
		{testtable.Row{"azureDisk", "four fields have defaults"}, of(volume), `azureDisk: {diskName: d, diskURI: u}`, `
			azureDisk.cachingMode: ReadWrite
			azureDisk.fsType: ext4
			azureDisk.kind: Shared
			azureDisk.readOnly: false`},
		{testtable.Row{"iscsi", "the interface that every system has"}, of(volume), `iscsi: {targetPortal: t, iqn: i, lun: 0}`, `iscsi.iscsiInterface: default`},
		{testtable.Row{"rbd", "what ceph itself takes for granted"}, of(volume), `rbd: {monitors: [m], image: i}`, `
			rbd.keyring: /etc/ceph/keyring
			rbd.pool: rbd
			rbd.user: admin`},
		{testtable.Row{"scaleIO", "old and still there"}, of(volume), `scaleIO: {gateway: g, system: s, secretRef: {name: s}}`, `
			scaleIO.fsType: xfs
			scaleIO.storageMode: ThinProvisioned`},
		{testtable.Row{"persistentVolumeClaim", "a claim is a source; it needs nothing"}, of(volume), `persistentVolumeClaim: {claimName: c}`, ``},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}

func TestPersistentVolumes(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"volume", "data outlives its claim by default"}, of(persistentVolume), `spec: {capacity: {storage: 1Gi}, nfs: {server: s, path: /}}`, `
			spec.persistentVolumeReclaimPolicy: Retain
			spec.volumeMode: Filesystem
			status.phase: Pending`},
		{testtable.Row{"hostPath, azureDisk", "sources that pods have as well"}, of(persistentSource), `{hostPath: {path: /}, azureDisk: {diskName: d, diskURI: u, fsType: xfs, readOnly: true, kind: Managed}}`, `
			azureDisk.cachingMode: ReadWrite
			hostPath.type:`},
		{testtable.Row{"iscsi, rbd, scaleIO", "sources with types of their own, and the same defaults"}, of(persistentSource), `
{iscsi: {targetPortal: t, iqn: i, lun: 0}, rbd: {monitors: [m], image: i, pool: p}, scaleIO: {gateway: g, system: s, secretRef: {name: s}, fsType: ext4}}`, `
			iscsi.iscsiInterface: default
			rbd.keyring: /etc/ceph/keyring
			rbd.user: admin
			scaleIO.storageMode: ThinProvisioned`},
		{testtable.Row{"volume in an attachment", "it is not an object and has no policy; its source is one like any other"}, of(volumeAttachment), `
spec: {attacher: a, nodeName: node, source: {inlineVolumeSpec: {hostPath: {path: /}}}}`, `spec.source.inlineVolumeSpec.hostPath.type:`},
		{testtable.Row{"attachment of a volume by name", "there is nothing to complete"}, of(volumeAttachment), `spec: {attacher: a, nodeName: node, source: {persistentVolumeName: v}}`, ``},
		{testtable.Row{"claim", "a claim waits for a volume"}, of(claim), `spec: {resources: {requests: {storage: 1Gi}}}`, `
			spec.volumeMode: Filesystem
			status.phase: Pending`},
		{testtable.Row{"claim for a device", "a mode that is there stays"}, of(claim), `{spec: {volumeMode: Block, resources: {requests: {storage: "0.0001"}}}, status: {phase: Bound}}`,
			`spec.resources.requests.storage: 1m`},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}

func TestStorage(t *testing.T) {
	t.Parallel()
	const switches = `
			spec.attachRequired: true
			spec.fsGroupPolicy: ReadWriteOnceWithFSType
			spec.podInfoOnMount: false
			spec.requiresRepublish: false
			spec.seLinuxMount: false
			spec.storageCapacity: false
			spec.volumeLifecycleModes[0]: Persistent`
	testtable.Run(t, []defaulted{
		{testtable.Row{"storage class", "volumes of a class go with their claims, unlike others"}, of(storageClass), `provisioner: p`, `
			reclaimPolicy: Delete
			volumeBindingMode: Immediate`},
		{testtable.Row{"driver", "every switch is written out, except those of features that have no default"}, of(csiDriver), `{}`, switches},
		{testtable.Row{"driver that says it all", "false is an answer where the default is true"}, of(csiDriver), `
spec: {attachRequired: false, fsGroupPolicy: None, podInfoOnMount: true, requiresRepublish: true, seLinuxMount: true, storageCapacity: true, volumeLifecycleModes: [Ephemeral]}`, ``},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}
