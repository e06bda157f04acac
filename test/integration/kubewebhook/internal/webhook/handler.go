package webhook

import (
	"fmt"
	"net/http"

	kwhhttp "github.com/slok/kubewebhook/v2/pkg/http"
	kwhlog "github.com/slok/kubewebhook/v2/pkg/log"
	kwhwebhook "github.com/slok/kubewebhook/v2/pkg/webhook"
)

// Handler serves the webhooks: /labels mutates, and /images validates.
func Handler(logger kwhlog.Logger) (http.Handler, error) {
	mux := http.NewServeMux()
	for path, create := range map[string]func(kwhlog.Logger) (kwhwebhook.Webhook, error){
		"/labels": newLabels,
		"/images": newImages,
	} {
		hook, err := create(logger)
		if err != nil {
			return nil, fmt.Errorf("creating the webhook of %s: %w", path, err)
		}
		handler, err := kwhhttp.HandlerFor(kwhhttp.HandlerConfig{Webhook: hook, Logger: logger})
		if err != nil {
			return nil, fmt.Errorf("creating the handler of %s: %w", path, err)
		}
		mux.Handle(path, handler)
	}
	return mux, nil
}
