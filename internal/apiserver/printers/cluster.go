package printers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/util/duration"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"k8s.io/utils/ptr"
)

// clusterTables returns the tables of what configures a cluster.
func clusterTables() map[string]table {
	return map[string]table{
		"runtimeclasses.node.k8s.io": newTable("Name, Handler, Age", func(r *nodev1.RuntimeClass) []any {
			return []any{r.Name, r.Handler, since(r.CreationTimestamp)}
		}),
		"ipaddresses.networking.k8s.io": newTable("Name, ParentRef",
			func(a *networkingv1.IPAddress) []any {
				return []any{a.Name, addressParent(a.Spec.ParentRef)}
			}),
		"servicecidrs.networking.k8s.io": newTable("Name, CIDRs, Age",
			func(c *networkingv1.ServiceCIDR) []any {
				return []any{c.Name, strings.Join(c.Spec.CIDRs, ","), since(c.CreationTimestamp)}
			}),
		"certificatesigningrequests.certificates.k8s.io": newTable(
			"Name, Age, SignerName, Requestor, RequestedDuration, Condition",
			func(r *certificatesv1.CertificateSigningRequest) []any {
				requested := none
				if seconds := r.Spec.ExpirationSeconds; seconds != nil {
					requested = duration.HumanDuration(time.Duration(*seconds) * time.Second)
				}
				return []any{
					r.Name, since(r.CreationTimestamp), r.Spec.SignerName, r.Spec.Username, requested,
					signingCondition(r),
				}
			}),
		"clustertrustbundles.certificates.k8s.io": newTable("Name, SignerName",
			func(b *certificatesv1.ClusterTrustBundle) []any {
				return []any{b.Name, cmp.Or(b.Spec.SignerName, none)}
			}),
		"apiservices.apiregistration.k8s.io": newTable("Name, Service, Available, Age",
			func(s *apiregistrationv1.APIService) []any {
				service := "Local"
				if r := s.Spec.Service; r != nil {
					service = r.Namespace + "/" + r.Name
				}
				return []any{s.Name, service, availability(s), since(s.CreationTimestamp)}
			}),
	}
}

func addressParent(r *networkingv1.ParentReference) string {
	if r == nil {
		return none
	}
	parts := []string{r.Resource, r.Group, r.Namespace, r.Name}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return strings.Join(parts, "/")
}

func signingCondition(r *certificatesv1.CertificateSigningRequest) string {
	var found []string
	for _, c := range r.Status.Conditions {
		found = append(found, string(c.Type))
	}
	if len(r.Status.Certificate) > 0 {
		found = append(found, "Issued")
	}
	return cmp.Or(strings.Join(found, ","), "Pending")
}

func availability(s *apiregistrationv1.APIService) string {
	for _, c := range s.Status.Conditions {
		if c.Type == apiregistrationv1.Available && c.Status != apiregistrationv1.ConditionTrue {
			return fmt.Sprintf("%s (%s)", c.Status, c.Reason)
		} else if c.Type == apiregistrationv1.Available {
			return string(c.Status)
		}
	}
	return string(apiregistrationv1.ConditionUnknown)
}

// storageTables returns the tables of storage and devices.
func storageTables() map[string]table {
	return map[string]table{
		"storageclasses.storage.k8s.io": newTable(
			"Name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age",
			func(c *storagev1.StorageClass) []any {
				return []any{
					storageClassName(c), c.Provisioner, ptr.Deref(c.ReclaimPolicy, "Delete"),
					ptr.Deref(c.VolumeBindingMode, storagev1.VolumeBindingImmediate),
					ptr.Deref(c.AllowVolumeExpansion, false), since(c.CreationTimestamp),
				}
			}),
		"volumeattachments.storage.k8s.io": newTable("Name, Attacher, PV, Node, Attached, Age",
			func(a *storagev1.VolumeAttachment) []any {
				return []any{
					a.Name, a.Spec.Attacher, ptr.Deref(a.Spec.Source.PersistentVolumeName, ""),
					a.Spec.NodeName, a.Status.Attached, since(a.CreationTimestamp),
				}
			}),
		"volumeattributesclasses.storage.k8s.io": newTable("Name, DriverName, Age",
			func(c *storagev1.VolumeAttributesClass) []any {
				return []any{c.Name, c.DriverName, since(c.CreationTimestamp)}
			}),
		"csinodes.storage.k8s.io": newTable("Name, Drivers, Age", func(n *storagev1.CSINode) []any {
			return []any{n.Name, len(n.Spec.Drivers), since(n.CreationTimestamp)}
		}),
		"csidrivers.storage.k8s.io": newTable(
			"Name, AttachRequired, PodInfoOnMount, StorageCapacity, TokenRequests, RequiresRepublish, "+
				"Modes, Age", driverCells),
		"csistoragecapacities.storage.k8s.io": newTable("Name, StorageClassName, Capacity",
			func(c *storagev1.CSIStorageCapacity) []any {
				capacity := unset
				if c.Capacity != nil {
					capacity = c.Capacity.String()
				}
				return []any{c.Name, c.StorageClassName, capacity}
			}),
		"resourceclaims.resource.k8s.io": newTable("Name, State, Age",
			func(c *resourcev1.ResourceClaim) []any {
				return []any{c.Name, claimState(c), since(c.CreationTimestamp)}
			}),
		"resourceslices.resource.k8s.io": newTable("Name, Node, Driver, Pool, Age",
			func(s *resourcev1.ResourceSlice) []any {
				return []any{
					s.Name, ptr.Deref(s.Spec.NodeName, unset), s.Spec.Driver, s.Spec.Pool.Name,
					since(s.CreationTimestamp),
				}
			}),
	}
}

func storageClassName(c *storagev1.StorageClass) string {
	if c.Annotations["storageclass.kubernetes.io/is-default-class"] == "true" {
		return c.Name + " (default)"
	}
	return c.Name
}

func driverCells(d *storagev1.CSIDriver) []any {
	var audiences, modes []string
	for _, request := range d.Spec.TokenRequests {
		audiences = append(audiences, request.Audience)
	}
	for _, mode := range d.Spec.VolumeLifecycleModes {
		modes = append(modes, string(mode))
	}
	return []any{
		d.Name, ptr.Deref(d.Spec.AttachRequired, true), ptr.Deref(d.Spec.PodInfoOnMount, false),
		ptr.Deref(d.Spec.StorageCapacity, false), cmp.Or(strings.Join(audiences, ","), unset),
		ptr.Deref(d.Spec.RequiresRepublish, false), joinOrNone(modes), since(d.CreationTimestamp),
	}
}

func claimState(c *resourcev1.ResourceClaim) string {
	var states []string
	if c.DeletionTimestamp != nil {
		states = append(states, "deleted")
	}
	if c.Status.Allocation == nil {
		return strings.Join(append(states, "pending"), ",")
	}
	states = append(states, "allocated")
	if len(c.Status.ReservedFor) > 0 {
		states = append(states, "reserved")
	}
	return strings.Join(states, ",")
}
