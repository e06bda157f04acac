package explain

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Exchange is the request and response of a call, each in the form that Body
// returns.
type Exchange struct {
	Request, Response json.RawMessage
	// Cut reports whether the response was truncated. A truncated value cannot
	// be recognized.
	Cut bool
}

// HideSecrets redacts the data of Secrets in exchanges as explanations do: by
// path, in patches, and wherever texts quote it. It modifies the exchanges that
// are about Secrets, and returns a redactor for texts about them. It is for
// callers that show exchanges without an Explanation.
//
// A request that is not JSON but contains the word Secret is redacted as a
// whole, and so is its response. A truncated response is redacted as a whole,
// too.
func HideSecrets(exchanges []Exchange) *TextRedactor {
	r := &pathRedactor{paths: secretPaths()}
	for i := range exchanges {
		if x := &exchanges[i]; isReviewOfSecret(x.Request) {
			change := r.decodedPatch
			if x.Cut {
				change = redactAll
			}
			x.Request, x.Response = transform(x.Request, r.review), transform(x.Response, change)
		} else if mentionsSecret(x.Request) {
			x.Request, x.Response = transform(x.Request, redactAll), transform(x.Response, redactAll)
		}
	}
	t := NewTextRedactor(r.values)
	if len(r.values) == 0 {
		return t
	}
	for i := range exchanges {
		exchanges[i].Request, exchanges[i].Response = t.json(
			exchanges[i].Request,
		), t.json(
			exchanges[i].Response,
		)
	}
	return t
}

func redactAll(any) any { return redacted }

// isReviewOfSecret reports whether the kind of an AdmissionReview is Secret, or
// one of its objects is.
func isReviewOfSecret(request json.RawMessage) bool {
	var review struct{ Request json.RawMessage }
	var about struct{ Kind metav1.GroupVersionKind }
	var objects struct{ Object, OldObject json.RawMessage }
	if json.Unmarshal(request, &review) != nil {
		return false
	}
	// Members of another type are not those of a Secret.
	_ = json.Unmarshal(review.Request, &about)
	_ = json.Unmarshal(review.Request, &objects)
	return about.Kind.Kind != "" && isSecret(about.Kind) || isSecretObject(objects.Object) ||
		isSecretObject(objects.OldObject)
}

func isSecretObject(object json.RawMessage) bool {
	var of metav1.TypeMeta
	_ = json.Unmarshal(object, &of) // see isReviewOfSecret
	return isSecret(metav1.GroupVersionKind(schema.FromAPIVersionAndKind(of.APIVersion, of.Kind)))
}

// mentionsSecret reports whether a body that is not JSON contains the word
// Secret.
func mentionsSecret(body json.RawMessage) bool {
	return bytes.HasPrefix(body, []byte(`"`)) && strings.Contains(string(body), "Secret")
}

// decodedPatch redacts values within the patch of an AdmissionReview response,
// which stays readable.
func (r *pathRedactor) decodedPatch(body any) any {
	review, _ := body.(map[string]any)
	response, _ := review["response"].(map[string]any)
	written, ok := response["patch"]
	if !ok {
		return body
	}
	response["patch"] = redacted
	text, _ := written.(string)
	patch, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return body
	}
	var operations []Operation
	if json.Unmarshal(patch, &operations) != nil {
		return body
	}
	r.patch(operations)
	if patch, err = json.Marshal(operations); err == nil {
		response["patch"] = base64.StdEncoding.EncodeToString(patch)
	}
	return body
}
