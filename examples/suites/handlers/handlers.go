package handlers

import "net/http"

// New returns the webhooks, each under its path, and /readyz for probes. The
// registries are the allowed prefixes of images and end in a slash.
func New(registries ...string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /requests", handle(fillIn))
	mux.Handle("POST /sidecar", handle(inject))
	mux.Handle("POST /images", handle(imagePolicy{registries}.judge))
	mux.Handle("POST /databases", handle(guard))
	mux.HandleFunc("GET /readyz",
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	return mux
}
