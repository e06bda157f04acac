package agnhost

import (
	"fmt"
	"net/http"
)

// New returns the handlers, at their paths. sidecarImage is the image of the
// container that /mutating-pods-sidecar adds; without one it denies all pods.
func New(sidecarImage string) http.Handler {
	mux := http.NewServeMux()
	reviews := newDecoder()
	for path, a := range answers(sidecarImage) {
		mux.Handle(path, endpoint{reviews, a})
	}
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, "ok") // a client that does not read the response needs no error
	})
	return mux
}

// answers are the handlers by their paths.
func answers(sidecarImage string) map[string]answer {
	return map[string]answer{
		"/always-deny":              denyAll,
		"/always-allow-delay-5s":    allowLate,
		"/add-label":                addLabel,
		"/pods":                     judgePod,
		"/pods/attach":              judgeAttach,
		"/mutating-pods":            addInitContainer,
		"/mutating-pods-sidecar":    addSidecar(sidecarImage),
		"/configmaps":               configMaps().judge,
		"/mutating-configmaps":      configMaps().stage,
		"/custom-resource":          customResources().judge,
		"/mutating-custom-resource": customResources().stage,
		"/crd":                      judgeDefinition,
	}
}
