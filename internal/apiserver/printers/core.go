package printers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// coreTables returns the tables of the core group, by resource.
func coreTables() map[string]table {
	return map[string]table{
		"namespaces": newTable("Name, Status, Age", func(n *corev1.Namespace) []any {
			return []any{n.Name, n.Status.Phase, since(n.CreationTimestamp)}
		}),
		"pods": podTable(),
		"services": newTable(
			"Name, Type, Cluster-IP, External-IP, Port(s), Age, (Selector)",
			func(s *corev1.Service) []any {
				return []any{
					s.Name, s.Spec.Type, cmp.Or(s.Spec.ClusterIP, none), externalIPs(s), servicePorts(s),
					since(s.CreationTimestamp), formatLabels(s.Spec.Selector),
				}
			}),
		"configmaps": newTable("Name, Data, Age", func(c *corev1.ConfigMap) []any {
			return []any{c.Name, len(c.Data) + len(c.BinaryData), since(c.CreationTimestamp)}
		}),
		"secrets": newTable("Name, Type, Data, Age", func(s *corev1.Secret) []any {
			return []any{s.Name, s.Type, len(s.Data), since(s.CreationTimestamp)}
		}),
		"serviceaccounts": newTable("Name, Secrets, Age", func(a *corev1.ServiceAccount) []any {
			return []any{a.Name, len(a.Secrets), since(a.CreationTimestamp)}
		}),
		"events":                 eventTable(),
		"nodes":                  nodeTable(),
		"persistentvolumeclaims": claimTable(),
	}
}

func externalIPs(s *corev1.Service) string {
	if s.Spec.Type == corev1.ServiceTypeExternalName {
		return s.Spec.ExternalName
	}
	var found []string
	for _, ingress := range s.Status.LoadBalancer.Ingress {
		found = append(found, cmp.Or(ingress.IP, ingress.Hostname))
	}
	found = append(found, s.Spec.ExternalIPs...)
	if len(found) == 0 && s.Spec.Type == corev1.ServiceTypeLoadBalancer {
		return "<pending>"
	}
	return joinOrNone(found)
}

func servicePorts(s *corev1.Service) string {
	var found []string
	for _, port := range s.Spec.Ports {
		number := fmt.Sprint(port.Port)
		if port.NodePort > 0 {
			number += fmt.Sprintf(":%d", port.NodePort)
		}
		found = append(found, number+"/"+string(port.Protocol))
	}
	return joinOrNone(found)
}

func eventTable() table {
	const columns = "Last Seen, Type, Reason, Object, (Subobject), (Source), Message, " +
		"(First Seen), (Count), (Name)"
	return newTable(columns, func(e *corev1.Event) []any {
		created := metav1.Time(e.EventTime)
		last, count := cmp.Or(e.LastTimestamp, created), max(e.Count, 1)
		if e.Series != nil {
			last, count = metav1.Time(e.Series.LastObservedTime), e.Series.Count
		}
		return []any{
			since(last), e.Type, e.Reason,
			strings.ToLower(e.InvolvedObject.Kind) + "/" + e.InvolvedObject.Name,
			e.InvolvedObject.FieldPath, cmp.Or(e.Source.Component, e.ReportingController),
			strings.TrimSpace(e.Message), since(cmp.Or(e.FirstTimestamp, created)), count, e.Name,
		}
	})
}

func nodeTable() table {
	const columns = "Name, Status, Roles, Age, Version, (Internal-IP), (External-IP), (OS-Image), " +
		"(Kernel-Version), (Container-Runtime)"
	return newTable(columns, func(n *corev1.Node) []any {
		info := n.Status.NodeInfo
		return []any{
			n.Name, nodeStatus(n), nodeRoles(n), since(n.CreationTimestamp), info.KubeletVersion,
			nodeAddress(n, corev1.NodeInternalIP), nodeAddress(n, corev1.NodeExternalIP),
			cmp.Or(info.OSImage, unknown), cmp.Or(info.KernelVersion, unknown),
			cmp.Or(info.ContainerRuntimeVersion, unknown),
		}
	})
}

func nodeStatus(n *corev1.Node) string {
	status := "Unknown"
	for _, condition := range n.Status.Conditions {
		switch {
		case condition.Type != corev1.NodeReady:
		case condition.Status == corev1.ConditionTrue:
			status = "Ready"
		default:
			status = "NotReady"
		}
	}
	if n.Spec.Unschedulable {
		status += ",SchedulingDisabled"
	}
	return status
}

func nodeRoles(n *corev1.Node) string {
	var roles []string
	for label, value := range n.Labels {
		if role, ok := strings.CutPrefix(label, "node-role.kubernetes.io/"); ok && role != "" {
			roles = append(roles, role)
		} else if label == "kubernetes.io/role" && value != "" {
			roles = append(roles, value)
		}
	}
	slices.Sort(roles)
	return joinOrNone(slices.Compact(roles))
}

func nodeAddress(n *corev1.Node, kind corev1.NodeAddressType) string {
	for _, address := range n.Status.Addresses {
		if address.Type == kind {
			return address.Address
		}
	}
	return none
}

func claimTable() table {
	const columns = "Name, Status, Volume, Capacity, Access Modes, StorageClass, " +
		"VolumeAttributesClass, Age, (VolumeMode)"
	return newTable(columns, func(c *corev1.PersistentVolumeClaim) []any {
		status, capacity, modes := c.Status.Phase, "", ""
		if c.DeletionTimestamp != nil {
			status = "Terminating"
		}
		if c.Spec.VolumeName != "" {
			capacity, modes = c.Status.Capacity.Storage().String(), accessModes(c.Status.AccessModes)
		}
		return []any{
			c.Name, status, c.Spec.VolumeName, capacity, modes, ptr.Deref(c.Spec.StorageClassName, ""),
			ptr.Deref(c.Spec.VolumeAttributesClassName, unset), since(c.CreationTimestamp),
			ptr.Deref(c.Spec.VolumeMode, unset),
		}
	})
}

// accessModes abbreviates access modes as kubectl does.
func accessModes(modes []corev1.PersistentVolumeAccessMode) string {
	short := map[corev1.PersistentVolumeAccessMode]string{
		corev1.ReadWriteOnce: "RWO", corev1.ReadOnlyMany: "ROX",
		corev1.ReadWriteMany: "RWX", corev1.ReadWriteOncePod: "RWOP",
	}
	var all []string
	for _, mode := range modes {
		all = append(all, cmp.Or(short[mode], string(mode)))
	}
	return strings.Join(all, ",")
}
