package explain

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
)

// Exchange is the request and response of a call, each in the form that Body
// returns.
type Exchange struct {
	Request, Response json.RawMessage
	// Cut reports whether the response was truncated. A truncated value cannot
	// be recognized.
	Cut bool
}

// HideSecrets redacts the values at SecretPaths in exchanges as explanations do: by path,
// in patches, and wherever texts quote them. It modifies the exchanges that are about
// objects with such paths, and returns a redactor for texts about them. It is for callers
// that show exchanges without an Explanation.
//
// A request that is not JSON but contains one of the words Secret, TokenReview and
// TokenRequest is redacted as a whole, and so is its response. A truncated response is
// redacted as a whole, too.
func HideSecrets(exchanges []Exchange) *TextRedactor {
	r := &pathRedactor{}
	for i := range exchanges {
		x := &exchanges[i]
		if r.paths = SecretPathsIn(x.Request); r.paths != nil {
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

var secretWord = regexp.MustCompile("Secret|TokenReview|TokenRequest")

// mentionsSecret reports whether a body that is not JSON contains the name of a kind with
// SecretPaths.
func mentionsSecret(body json.RawMessage) bool {
	return bytes.HasPrefix(body, []byte(`"`)) && secretWord.Match(body)
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
