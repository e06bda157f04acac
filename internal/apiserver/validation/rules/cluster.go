package rules

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func clusterRules() []rule {
	return slices.Concat(certificateRules(), []rule{
		on(nodeSpec),
		on(namespaceSpec),
		on(func(o *nodev1.Overhead, path *field.Path) field.ErrorList {
			return containerResources(o.PodFixed, path.Child("podFixed"))
		}),
		on(event),
		on(priorityClass),
		atLeast[coordinationv1.LeaseSpec](1, "leaseDurationSeconds"),
		atLeast[coordinationv1.LeaseSpec](0, "leaseTransitions"),
		on(func(s *nodev1.Scheduling, path *field.Path) field.ErrorList {
			return metavalidation.ValidateLabels(s.NodeSelector, path.Child("nodeSelector"))
		}),
		on(flowSchemaSpec),
		require[flowcontrolv1.PriorityLevelConfigurationReference]("name"),
		on(flowRule),
		require[flowcontrolv1.ResourcePolicyRule]("apiGroups", "resources", "verbs"),
		require[flowcontrolv1.NonResourcePolicyRule]("nonResourceURLs", "verbs"),
		on(flowResources),
		on(flowURLs),
		on(flowSubject),
		require[flowcontrolv1.UserSubject]("name"),
		require[flowcontrolv1.GroupSubject]("name"),
		require[flowcontrolv1.ServiceAccountSubject]("name", "namespace"),
		atLeast[flowcontrolv1.LimitedPriorityLevelConfiguration](0, "nominalConcurrencyShares"),
		within[flowcontrolv1.LimitedPriorityLevelConfiguration](0, 100, "lendablePercent"),
		atLeast[flowcontrolv1.LimitedPriorityLevelConfiguration](0, "borrowingLimitPercent"),
		atLeast[flowcontrolv1.QueuingConfiguration](1, "handSize", "queueLengthLimit", "queues"),
		on(func(q *flowcontrolv1.QueuingConfiguration, path *field.Path) field.ErrorList {
			if q.HandSize <= q.Queues {
				return nil
			}
			return field.ErrorList{field.Invalid(path.Child("handSize"), q.HandSize,
				fmt.Sprintf("should not be greater than queues (%d)", q.Queues))}
		}),
		on(func(s *storagemigrationv1.StorageVersionMigrationSpec, path *field.Path) field.ErrorList {
			if s.Resource.Resource != "" {
				return nil
			}
			return field.ErrorList{field.Required(
				path.Child("resource", "resource"), "resource is required")}
		}),
	})
}

func nodeSpec(s *corev1.NodeSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[corev1.Taint]bool{}
	for i, taint := range s.Taints {
		at := path.Child("taints").Index(i)
		errs = append(errs, metavalidation.ValidateLabelName(taint.Key, at.Child("key"))...)
		errs = append(errs, invalid(
			at.Child("value"), taint.Value, validation.IsValidLabelValue(taint.Value))...)
		if taint.Effect == "" {
			errs = append(errs, field.Required(at.Child("effect"), ""))
		}
		key := corev1.Taint{Key: taint.Key, Effect: taint.Effect}
		if seen[key] {
			errs = append(errs, field.Duplicate(at, taint))
		}
		seen[key] = true
	}
	for i, cidr := range s.PodCIDRs {
		errs = append(errs, legacyCIDR(path.Child("podCIDRs").Index(i), cidr)...)
	}
	return errs
}

func namespaceSpec(s *corev1.NamespaceSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	known := []string{
		string(corev1.FinalizerKubernetes),
		metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents,
	}
	for i, f := range s.Finalizers {
		at, name := path.Child("finalizers").Index(i), string(f)
		errs = append(errs, invalid(at, name, validation.IsQualifiedName(name))...)
		if !strings.Contains(name, "/") && !slices.Contains(known, name) {
			errs = append(errs, field.Invalid(
				at, name, "name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return errs
}

// event compares the namespace of an event with that of its object. An object
// without one is in "default".
func event(e *corev1.Event, _ *field.Path) field.ErrorList {
	involved := e.InvolvedObject.Namespace
	if involved == e.Namespace || involved == "" && e.Namespace == metav1.NamespaceDefault {
		return nil
	}
	return field.ErrorList{field.Invalid(
		field.NewPath("involvedObject", "namespace"), involved, "does not match event.namespace")}
}

func priorityClass(c *schedulingv1.PriorityClass, _ *field.Path) field.ErrorList {
	// The classes that kube-apiserver itself creates.
	if c.Name == "system-cluster-critical" || c.Name == "system-node-critical" {
		return nil
	}
	var errs field.ErrorList
	const highest = 1000000000
	if c.Value > highest {
		errs = append(errs, field.Forbidden(field.NewPath("value"),
			"maximum allowed value of a user defined priority is 1000000000"))
	}
	if strings.HasPrefix(c.Name, "system-") {
		errs = append(errs, field.Forbidden(field.NewPath("metadata", "name"),
			"priority class names with 'system-' prefix are reserved for system use only"))
	}
	return errs
}

func flowSchemaSpec(s *flowcontrolv1.FlowSchemaSpec, path *field.Path) field.ErrorList {
	path = path.Child("matchingPrecedence")
	switch {
	case s.MatchingPrecedence <= 0:
		return field.ErrorList{field.Invalid(path, s.MatchingPrecedence, "must be a positive value")}
	case s.MatchingPrecedence > flowcontrolv1.FlowSchemaMaxMatchingPrecedence:
		return field.ErrorList{field.Invalid(
			path, s.MatchingPrecedence, "must not be greater than 10000")}
	}
	return nil
}

func flowRule(r *flowcontrolv1.PolicyRulesWithSubjects, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(r.Subjects) == 0 {
		errs = append(errs, field.Required(
			path.Child("subjects"), "subjects must contain at least one value"))
	}
	if len(r.ResourceRules)+len(r.NonResourceRules) == 0 {
		errs = append(errs, field.Required(
			path, "at least one of resourceRules and nonResourceRules has to be non-empty"))
	}
	return errs
}

func flowResources(r *flowcontrolv1.ResourcePolicyRule, path *field.Path) field.ErrorList {
	if r.ClusterScope || len(r.Namespaces) > 0 {
		return nil
	}
	return field.ErrorList{field.Required(path.Child("namespaces"),
		"resource rules that are not cluster scoped must supply at least one namespace")}
}

func flowURLs(r *flowcontrolv1.NonResourcePolicyRule, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, url := range r.NonResourceURLs {
		if url != "*" && !strings.HasPrefix(url, "/") {
			errs = append(errs, field.Invalid(path.Child("nonResourceURLs").Index(i), url,
				"must start with slash"))
		}
	}
	return errs
}

// flowSubject requires the field that the kind names.
func flowSubject(s *flowcontrolv1.Subject, path *field.Path) field.ErrorList {
	fields := map[flowcontrolv1.SubjectKind]member{
		flowcontrolv1.SubjectKindUser:           set(s.User, "user"),
		flowcontrolv1.SubjectKindGroup:          set(s.Group, "group"),
		flowcontrolv1.SubjectKindServiceAccount: set(s.ServiceAccount, "serviceAccount"),
	}
	named, ok := fields[s.Kind]
	switch {
	case s.Kind == "":
		return field.ErrorList{field.Required(path.Child("kind"), "")}
	case ok && !named.set:
		return field.ErrorList{field.Required(
			path.Child(named.name), named.name+" is required when subject kind is '"+string(s.Kind)+"'")}
	}
	return nil
}

func certificateRules() []rule {
	return []rule{
		require[certificatesv1.CertificateSigningRequestSpec]("usages", "signerName"),
		on(signingRequest),
		on(trustBundle),
		require[certificatesv1.PodCertificateRequestSpec]("signerName", "podName", "podUID",
			"serviceAccountName", "serviceAccountUID", "nodeName", "nodeUID"),
		within[certificatesv1.PodCertificateRequestSpec](3600, 7862400, "maxExpirationSeconds"),
		on(func(s *certificatesv1.PodCertificateRequestSpec, path *field.Path) field.ErrorList {
			errs := signer(s.SignerName, path.Child("signerName"))
			if _, err := x509.ParseCertificateRequest(s.StubPKCS10Request); err != nil {
				errs = append(errs, field.Invalid(path.Child("stubPKCS10Request"), s.StubPKCS10Request,
					"must be a valid PKCS#10 request: "+err.Error()))
			}
			return errs
		}),
	}
}

// signer checks a name such as "example.com/signer". An empty one is valid.
func signer(name string, path *field.Path) field.ErrorList {
	if name == "" {
		return nil
	}
	domain, rest, ok := strings.Cut(name, "/")
	if !ok || rest == "" || strings.Contains(rest, "/") {
		return field.ErrorList{field.Invalid(path, name,
			"must be a fully qualified domain and path of the form 'example.com/signer-name'")}
	}
	if !strings.Contains(domain, ".") {
		return field.ErrorList{field.Invalid(
			path, domain, "should be a domain with at least two segments separated by dots")}
	}
	errs := invalid(path, domain, validation.IsDNS1123Subdomain(domain))
	return append(errs, invalid(path, rest, validation.IsDNS1123Subdomain(rest))...)
}

func signingRequest(
	s *certificatesv1.CertificateSigningRequestSpec, path *field.Path,
) field.ErrorList {
	errs := signer(s.SignerName, path.Child("signerName"))
	if err := parseRequest(s.Request); err != nil {
		errs = append(errs, field.Invalid(path.Child("request"), s.Request, err.Error()))
	}
	if s.ExpirationSeconds != nil && *s.ExpirationSeconds < 600 {
		errs = append(errs, field.Invalid(path.Child("expirationSeconds"), *s.ExpirationSeconds,
			"may not specify a duration less than 600 seconds (10 minutes)"))
	}
	return append(errs, duplicates(s.Usages, path.Child("usages"), "",
		func(u *certificatesv1.KeyUsage) string { return string(*u) })...)
}

func parseRequest(text []byte) error {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE REQUEST" {
		return errors.New("PEM block type must be CERTIFICATE REQUEST")
	}
	request, err := x509.ParseCertificateRequest(block.Bytes)
	if err != nil {
		return err
	}
	return request.CheckSignature()
}

// trustBundle checks the certificates, and the name, which begins with that of
// the signer.
func trustBundle(b *certificatesv1.ClusterTrustBundle, _ *field.Path) field.ErrorList {
	path := field.NewPath("spec")
	errs := signer(b.Spec.SignerName, path.Child("signerName"))
	prefix := strings.ReplaceAll(b.Spec.SignerName, "/", ":") + ":"
	name := field.NewPath("metadata", "name")
	switch {
	case b.Spec.SignerName == "" && strings.Contains(b.Name, ":"):
		errs = append(errs, field.Invalid(
			name, b.Name, "ClusterTrustBundle without signer name must not have \":\" in its name"))
	case b.Spec.SignerName != "" && !strings.HasPrefix(b.Name, prefix):
		errs = append(errs, field.Invalid(name, b.Name,
			"ClusterTrustBundle for signerName "+b.Spec.SignerName+" must be named with prefix "+prefix))
	}
	return append(errs, anchors(b.Spec.TrustBundle, path.Child("trustBundle"))...)
}

func anchors(text string, path *field.Path) field.ErrorList {
	wrong := func(message string) field.ErrorList {
		return field.ErrorList{field.Invalid(path, "<value omitted>", message)}
	}
	rest, seen := []byte(text), map[string]bool{}
	for {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		if block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			return wrong("the bundle has a PEM block of another type than CERTIFICATE")
		}
		if len(block.Headers) > 0 {
			return wrong("the bundle has a PEM block with headers")
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return wrong("the bundle has an invalid certificate: " + err.Error())
		}
		if !certificate.IsCA {
			return wrong("the bundle has a certificate that is not of a CA")
		}
		if seen[string(block.Bytes)] {
			return wrong("the bundle has a certificate twice")
		}
		seen[string(block.Bytes)] = true
	}
	if len(seen) == 0 {
		return field.ErrorList{field.Required(path, "at least one trust anchor must be provided")}
	}
	return nil
}
