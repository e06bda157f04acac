package registry

import (
	"net/netip"

	certificatesv1 "k8s.io/api/certificates/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// infrastructureResources configure a cluster rather than its workloads.
func infrastructureResources() []Resource {
	networking := networkingv1.SchemeGroupVersion
	return []Resource{
		{
			GroupVersionKind: networking.WithKind("IPAddress"), Plural: "ipaddresses",
			ShortNames: []string{"ip"}, validateName: validateIPAddressName, uncached: true,
		},
		{
			GroupVersionKind: networking.WithKind("ServiceCIDR"), Plural: "servicecidrs", uncached: true,
		},
		{
			GroupVersionKind: nodev1.SchemeGroupVersion.WithKind("RuntimeClass"),
			Plural:           "runtimeclasses", requireResourceVersion: true, uncached: true,
		},
		{
			GroupVersionKind: apiregistrationv1.SchemeGroupVersion.WithKind("APIService"),
			Plural:           "apiservices", Categories: []string{"api-extensions"},
			requireResourceVersion: true, prepareForCreate: prepareAPIServiceForCreate,
			validateAll: validateAPIService, uncached: true,
		},
	}
}

func certificateResources() []Resource {
	v1 := certificatesv1.SchemeGroupVersion
	return []Resource{
		{
			GroupVersionKind: v1.WithKind("CertificateSigningRequest"),
			Plural:           "certificatesigningrequests", ShortNames: []string{"csr"},
			validateName: anyName, setRequester: setCertificateRequester,
			prepareForUpdate: keepCertificateRequest, selectableFields: signerFields,
			keepForStatus: keepCertificateApproval, uncached: true,
			subresources: subresources{"certificatesigningrequests/approval": newApprovalREST},
		},
		{
			GroupVersionKind: v1.WithKind("ClusterTrustBundle"), Plural: "clustertrustbundles",
			validateName: validateRoleName, requireResourceVersion: true,
			selectableFields: signerFields, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("PodCertificateRequest"), Plural: "podcertificaterequests",
			NamespaceScoped: true, requireResourceVersion: true,
			selectableFields: podCertificateFields, uncached: true,
		},
	}
}

// anyName accepts every name that the path of a request can have.
func anyName(string, bool) []string { return nil }

// validateIPAddressName requires the canonical form of an address.
func validateIPAddressName(name string, _ bool) []string {
	address, err := netip.ParseAddr(name)
	switch {
	case err != nil:
		return []string{err.Error()}
	case address.String() != name:
		return []string{"must be a canonical format IP address"}
	}
	return nil
}
