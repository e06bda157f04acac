package explain

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Exchange is what was sent to a webhook and what came back, each as Body has it.
type Exchange struct {
	Request, Response json.RawMessage
	// Cut says that the end of the response is missing. That may be in the midst of a
	// value, which cannot be recognized then.
	Cut bool
}

// HideSecrets hides the data of Secrets in exchanges, as explanations do: where it belongs,
// in patches too, and wherever somebody quotes it. It changes them, unless they are about
// something else. It is for those who show exchanges without an Explanation.
//
// Of a request that is no JSON it cannot be told what is data in it: if it has the word
// Secret, it is hidden as a whole, and so is its answer. A response that is cut is hidden as
// a whole, too.
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
	t := newTextRedactor(r.values)
	if len(r.values) == 0 {
		return t
	}
	for i := range exchanges {
		exchanges[i].Request, exchanges[i].Response = t.json(exchanges[i].Request), t.json(exchanges[i].Response)
	}
	return t
}

func redactAll(any) any { return redacted }

// isReviewOfSecret reports whether an AdmissionReview says that it is about a Secret, or
// has one.
func isReviewOfSecret(request json.RawMessage) bool {
	var review struct{ Request json.RawMessage }
	var about struct{ Kind metav1.GroupVersionKind }
	var objects struct{ Object, OldObject json.RawMessage }
	if json.Unmarshal(request, &review) != nil {
		return false
	}
	// What does not fit is no kind of a Secret.
	_ = json.Unmarshal(review.Request, &about)
	_ = json.Unmarshal(review.Request, &objects)
	return about.Kind.Kind != "" && isSecret(about.Kind) || isSecretObject(objects.Object) || isSecretObject(objects.OldObject)
}

func isSecretObject(object json.RawMessage) bool {
	var of metav1.TypeMeta
	_ = json.Unmarshal(object, &of) // as above
	return isSecret(metav1.GroupVersionKind(schema.FromAPIVersionAndKind(of.APIVersion, of.Kind)))
}

// mentionsSecret reports whether a body is no JSON, but a string, with the word in it.
func mentionsSecret(body json.RawMessage) bool {
	return bytes.HasPrefix(body, []byte(`"`)) && strings.Contains(string(body), "Secret")
}

// patched hides values in the patch of an AdmissionReview, which stays readable.
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
