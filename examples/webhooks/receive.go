package webhooks

import (
	"errors"
	"io"
	"mime"
	"net/http"
)

// maxBody exceeds what kube-apiserver sends: a request has at most 3 MiB, and a
// review at most two objects, whose characters may all be escaped.
const maxBody = 16 << 20

// Errors of requests that are not reviews.
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

// refuse sends the error. The status is never 5xx, because the request is at
// fault.
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
