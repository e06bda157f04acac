package webhooks

import (
	"errors"
	"io"
	"mime"
	"net/http"
)

// maxBody is more than kube-apiserver sends: a request may have 3 MiB, and a review has
// two objects at most, with all characters escaped perhaps.
const maxBody = 16 << 20

// What is wrong with requests that are no reviews.
var (
	errMethod = errors.New("want a POST")
	errType   = errors.New("want a body of application/json")
	errEmpty  = errors.New("the body is empty")
)

// receive returns the body of a request.
func receive(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Method != http.MethodPost {
		return nil, errMethod
	}
	// The type may have parameters, such as a charset.
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" {
		return nil, errType
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil && len(body) == 0 {
		err = errEmpty
	}
	return body, err
}

// refuse says why a request was not understood. It never says 5xx: it is not this side
// that is at fault.
func refuse(w http.ResponseWriter, err error) {
	status := http.StatusBadRequest
	var long *http.MaxBytesError
	switch {
	case errors.Is(err, errMethod):
		status = http.StatusMethodNotAllowed
		w.Header().Set("Allow", http.MethodPost)
	case errors.Is(err, errType):
		status = http.StatusUnsupportedMediaType
	case errors.As(err, &long):
		status = http.StatusRequestEntityTooLarge
	}
	http.Error(w, err.Error(), status)
}
