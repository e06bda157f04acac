// Package pluginconfig reads the two kinds of files that configure an API
// server's admission webhooks.
//
//	Webhooks   a WebhookAdmissionConfiguration: where credentials and static
//	           manifests are (S-033 to S-035)
//	Admission  an AdmissionConfiguration, as of --admission-control-config-file,
//	           which contains the former or their paths (S-030 to S-032)
//
// Like apiserver, the package reads a file, decodes it strictly as YAML or
// JSON, and validates it. The first problem is the error, with apiserver's
// text. The one difference: a plugin's file that cannot be read is an error,
// and does not end the process (S-031).
//
// The package has no state and starts no goroutines. It opens none of the files
// that a configuration refers to, but checks that the folder of static
// manifests exists.
package pluginconfig
