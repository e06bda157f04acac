package webhookserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The label, or the key of the data, by which clients select a response, and
// its values.
const (
	wish         = "webhook-e2e-test"
	disallow     = "webhook-disallow"
	nonDeletable = "webhook-nondeletable"
	waitForever  = "wait-forever"
)

func denyAll(*http.Request, *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return denied("this webhook denies all requests")
}

func allowAfter(d time.Duration) handler {
	return func(r *http.Request, _ *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		if !sleep(r, d) {
			return nil
		}
		response := allowed()
		response.Result = &metav1.Status{Message: "this webhook allows all requests"}
		return response
	}
}

func addLabel(_ *http.Request, asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	var labelled metav1.PartialObjectMetadata
	if err := json.Unmarshal(asked.Object.Raw, &labelled); err != nil {
		return denied(err.Error())
	}
	value, found := labelled.Labels["added-label"]
	switch {
	case len(labelled.Labels) == 0:
		return patched(`[{"op":"add","path":"/metadata/labels","value":{"added-label":"yes"}}]`)
	case !found:
		return patched(`[{"op":"add","path":"/metadata/labels/added-label","value":"yes"}]`)
	case value != "yes":
		return patched(`[{"op":"replace","path":"/metadata/labels/added-label","value":"yes"}]`)
	}
	return allowed()
}

// mustBe returns a denial if a request is for another resource than one of the
// given.
func mustBe(
	asked *admissionv1.AdmissionRequest, resources ...metav1.GroupVersionResource,
) *admissionv1.AdmissionResponse {
	for _, r := range resources {
		if asked.Resource == r {
			return nil
		}
	}
	return denied(fmt.Sprintf("expect resource to be %s", resources[0]))
}

// data is a kind whose field data selects the response.
type data struct {
	resource              *metav1.GroupVersionResource // nil for any
	unwanted, undeletable string
}

func configMaps() data {
	return data{
		resource:    &metav1.GroupVersionResource{Version: "v1", Resource: "configmaps"},
		unwanted:    "the configmap contains unwanted key and value",
		undeletable: "the configmap cannot be deleted because it contains unwanted key and value",
	}
}

func customResources() data {
	return data{
		unwanted:    "the custom resource contains unwanted data",
		undeletable: "the custom resource cannot be deleted because it contains unwanted key and value",
	}
}

// read returns the data, or a denial.
func (d data) read(
	asked *admissionv1.AdmissionRequest,
) (map[string]string, *admissionv1.AdmissionResponse) {
	if d.resource != nil {
		if no := mustBe(asked, *d.resource); no != nil {
			return nil, no
		}
	}
	var content struct {
		Data map[string]string `json:"data"`
	}
	if err := json.Unmarshal(object(asked), &content); err != nil {
		return nil, denied(err.Error())
	}
	return content.Data, nil
}

// checkData denies with a reason, not with a message.
func checkData(d data) handler {
	return func(_ *http.Request, asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		content, no := d.read(asked)
		switch deleting := asked.Operation == admissionv1.Delete; {
		case no != nil:
			return no
		case !deleting && content[wish] == disallow:
			return &admissionv1.AdmissionResponse{
				Result: &metav1.Status{Reason: metav1.StatusReason(d.unwanted)},
			}
		case deleting && content[wish] == nonDeletable:
			return &admissionv1.AdmissionResponse{
				Result: &metav1.Status{Reason: metav1.StatusReason(d.undeletable)},
			}
		}
		return allowed()
	}
}

// mutateData adds the stage that comes after the last one.
func mutateData(d data) handler {
	return func(_ *http.Request, asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		content, no := d.read(asked)
		switch {
		case no != nil:
			return no
		case content["mutation-stage-1"] == "yes":
			return patched(`[{"op":"add","path":"/data/mutation-stage-2","value":"yes"}]`)
		case content["mutation-start"] == "yes":
			return patched(`[{"op":"add","path":"/data/mutation-stage-1","value":"yes"}]`)
		}
		return allowed()
	}
}

func denyDefinitions(
	_ *http.Request, asked *admissionv1.AdmissionRequest,
) *admissionv1.AdmissionResponse {
	at := func(version string) metav1.GroupVersionResource {
		return metav1.GroupVersionResource{Group: "apiextensions.k8s.io", Version: version,
			Resource: "customresourcedefinitions"}
	}
	if no := mustBe(asked, at("v1"), at("v1beta1")); no != nil {
		return no
	}
	var definition metav1.PartialObjectMetadata
	if err := json.Unmarshal(asked.Object.Raw, &definition); err != nil {
		return denied(err.Error())
	}
	if definition.Labels[wish] == disallow {
		return denied("the crd contains unwanted label")
	}
	return allowed()
}
