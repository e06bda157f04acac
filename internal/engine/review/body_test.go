package review

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

const uid = types.UID("0df28fbd-5f5f-11e8-bc74-36e6bb280816")

// TestBody compares the spliced review with the codec's encoding of the API
// types, byte for byte (S-212…S-219).
func TestBody(t *testing.T) {
	t.Parallel()
	codec := upstreamCodec(t)
	for _, version := range []Version{V1, V1beta1} {
		t.Run(string(version), func(t *testing.T) {
			t.Parallel()
			testtable.Run(t, bodyCases(), func(t *testing.T, tc bodyCase) {
				attributes := tc.attributes()
				target := tc.targetOr(attributes)
				want, err := runtime.Encode(codec, typedReview(version, attributes, target))
				if err != nil {
					t.Fatalf("encoding the types: %v", err)
				}
				got, err := body(&Builder{Attributes: attributes}, version, uid, target, Encode(tc.object), Encode(tc.old))
				if err != nil {
					t.Fatalf("Body: %v", err)
				}
				if diff := cmp.Diff(string(want), string(read(t, got))); diff != "" {
					t.Errorf("body (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func upstreamCodec(t *testing.T) runtime.Codec {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := admissionv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	if err := admissionv1beta1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return serializer.NewCodecFactory(scheme).LegacyCodec(admissionv1beta1.SchemeGroupVersion, admissionv1.SchemeGroupVersion)
}

// typedReview fills in the API types as the catalogue describes: v1beta1 field
// for field like v1 (S-218).
func typedReview(version Version, a apiadmission.Attributes, target admission.Target) runtime.Object {
	request := typedRequest(a, target)
	if version == V1 {
		return &admissionv1.AdmissionReview{Request: request}
	}
	return &admissionv1beta1.AdmissionReview{Request: &admissionv1beta1.AdmissionRequest{
		UID:                request.UID,
		Kind:               request.Kind,
		Resource:           request.Resource,
		SubResource:        request.SubResource,
		RequestKind:        request.RequestKind,
		RequestResource:    request.RequestResource,
		RequestSubResource: request.RequestSubResource,
		Name:               request.Name,
		Namespace:          request.Namespace,
		Operation:          admissionv1beta1.Operation(request.Operation),
		UserInfo:           request.UserInfo,
		Object:             request.Object,
		OldObject:          request.OldObject,
		DryRun:             request.DryRun,
		Options:            request.Options,
	}}
}

func typedRequest(a apiadmission.Attributes, target admission.Target) *admissionv1.AdmissionRequest {
	kind, resource := metav1.GroupVersionKind(a.GetKind()), metav1.GroupVersionResource(a.GetResource())
	dryRun := a.IsDryRun()
	extra := map[string]authenticationv1.ExtraValue{}
	for key, values := range a.GetUserInfo().GetExtra() {
		extra[key] = values
	}
	return &admissionv1.AdmissionRequest{
		UID:                uid,
		Kind:               metav1.GroupVersionKind(target.Kind),
		Resource:           metav1.GroupVersionResource(target.Resource),
		SubResource:        target.Subresource,
		RequestKind:        &kind,
		RequestResource:    &resource,
		RequestSubResource: a.GetSubresource(),
		Name:               a.GetName(),
		Namespace:          a.GetNamespace(),
		Operation:          admissionv1.Operation(a.GetOperation()),
		UserInfo: authenticationv1.UserInfo{
			Username: a.GetUserInfo().GetName(),
			UID:      a.GetUserInfo().GetUID(),
			Groups:   a.GetUserInfo().GetGroups(),
			Extra:    extra,
		},
		Object:    runtime.RawExtension{Object: a.GetObject()},
		OldObject: runtime.RawExtension{Object: a.GetOldObject()},
		DryRun:    &dryRun,
		Options:   runtime.RawExtension{Object: a.GetOperationOptions()},
	}
}

// One body in full, so that the order of S-212 can be read somewhere.
func TestBodyInFull(t *testing.T) {
	t.Parallel()
	tc := bodyCase{operation: apiadmission.Delete, subresource: "status", name: "n", namespace: "ns"}
	a := tc.attributes()
	got, err := body(&Builder{Attributes: a}, V1, uid, tc.targetOr(a), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{` +
		`"uid":"0df28fbd-5f5f-11e8-bc74-36e6bb280816",` +
		`"kind":{"group":"","version":"v1","kind":"Pod"},` +
		`"resource":{"group":"","version":"v1","resource":"pods"},"subResource":"status",` +
		`"requestKind":{"group":"","version":"v1","kind":"Pod"},` +
		`"requestResource":{"group":"","version":"v1","resource":"pods"},"requestSubResource":"status",` +
		`"name":"n","namespace":"ns","operation":"DELETE","userInfo":{"username":"alice"},` +
		`"object":null,"oldObject":null,"dryRun":false,"options":null}}` + "\n"
	if diff := cmp.Diff(want, string(read(t, got))); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}
