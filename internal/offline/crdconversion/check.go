package crdconversion

import (
	"errors"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
)

func (c Config) check() error {
	switch {
	case c.Dial == nil:
		return errors.New("crdconversion.Config.Dial is required")
	case c.Timeout < 0:
		return fmt.Errorf("crdconversion.Config.Timeout is %v, and must not be negative", c.Timeout)
	}
	return nil
}

// check reports what an API server would not have accepted, which the code that
// is used takes for granted: with some of it, it would panic.
func check(c *apiextensionsv1.CustomResourceConversion) error {
	path := field.NewPath("spec", "conversion")
	if c.Strategy != apiextensionsv1.WebhookConverter {
		return fmt.Errorf("%v: is %q, and must be Webhook for a conversion by a webhook",
			path.Child("strategy"), c.Strategy)
	}
	path = path.Child("webhook")
	if c.Webhook == nil {
		return field.Required(path, "with the strategy Webhook")
	}
	if err := checkClient(path.Child("clientConfig"), c.Webhook.ClientConfig); err != nil {
		return err
	}
	return checkReviewVersions(path.Child("conversionReviewVersions"),
		c.Webhook.ConversionReviewVersions)
}

func checkClient(path *field.Path, c *apiextensionsv1.WebhookClientConfig) error {
	switch {
	case c == nil:
		return field.Required(path, "with the strategy Webhook")
	case (c.URL == nil) == (c.Service == nil):
		return field.Required(path, "exactly one of url or service is required")
	case c.URL != nil:
		return webhookutil.ValidateWebhookURL(path.Child("url"), *c.URL, true).ToAggregate()
	}
	s := c.Service
	return webhookutil.ValidateWebhookService(path.Child("service"), s.Namespace, s.Name, s.Path,
		*s.Port).ToAggregate()
}

// checkReviewVersions returns an error unless one version is known. Without one
// all conversions fail, even those that do not call the webhook.
func checkReviewVersions(path *field.Path, versions []string) error {
	known := []string{"v1", "v1beta1"}
	if !slices.ContainsFunc(versions, func(v string) bool { return slices.Contains(known, v) }) {
		return field.Invalid(path, versions, "must include at least one of v1, v1beta1")
	}
	return nil
}
