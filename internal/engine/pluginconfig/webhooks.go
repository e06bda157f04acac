package pluginconfig

import (
	"fmt"
	"io"
	"path"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission/plugin/manifest"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/config/apis/webhookadmission"
	webhookadmissionv1 "k8s.io/apiserver/pkg/admission/plugin/webhook/config/apis/webhookadmission/v1"
)

// Webhooks reads a WebhookAdmissionConfiguration of apiserver.config.k8s.io/v1,
// strictly. For a nil file it returns an empty configuration (S-033 to S-035).
func Webhooks(file io.Reader) (*webhookadmission.WebhookAdmission, error) {
	if file == nil {
		return &webhookadmission.WebhookAdmission{}, nil
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	versions := runtime.NewSchemeBuilder(
		webhookadmission.AddToScheme, webhookadmissionv1.AddToScheme)
	if err := versions.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("building the scheme of WebhookAdmissionConfiguration: %w", err)
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDecoder()
	decoded, err := runtime.Decode(decoder, data)
	if err != nil {
		return nil, err
	}
	config, ok := decoded.(*webhookadmission.WebhookAdmission)
	if !ok {
		return nil, fmt.Errorf("unexpected type: %T", decoded)
	}
	if config.KubeConfigFile != "" && !path.IsAbs(config.KubeConfigFile) {
		return nil, field.Invalid(field.NewPath("kubeConfigFile"), config.KubeConfigFile,
			"must be an absolute file path")
	}
	if err := manifest.ValidateStaticManifestsDir(config.StaticManifestsDir); err != nil {
		return nil, err
	}
	return config, nil
}
