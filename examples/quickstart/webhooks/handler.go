package webhooks

import (
	"context"
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
)

// Handler returns a handler that serves the four webhooks, each under its path,
// and 404 elsewhere.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/label", webhook(labelContainers))
	mux.Handle("/inject", webhook(injectProxy))
	mux.Handle("/images", webhook(checkImages))
	mux.Handle("/slow", webhook(takeTime))
	return mux
}

// webhook turns a decision function into an HTTP handler. The function must not
// change the pod; its context ends when the client disconnects.
func webhook(decide func(context.Context, *corev1.Pod) answer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		review, err := readReview(w, r)
		if err != nil {
			http.Error(w, fmt.Sprintf("cannot read the request: %v", err), http.StatusBadRequest)
			return
		}
		pod, err := podOf(review.Request)
		if err != nil {
			http.Error(w, fmt.Sprintf("cannot read the object: %v", err), http.StatusBadRequest)
			return
		}
		var a answer
		if pod != nil {
			a = decide(r.Context(), pod)
		}
		if r.Context().Err() != nil {
			// The client is gone. A response that still arrived could be taken
			// for a timely one.
			panic(http.ErrAbortHandler)
		}
		writeReview(w, review, a)
	})
}
