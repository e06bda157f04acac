// Package pluginconfig reads the two kinds of files that configure an API server's
// admission webhooks.
//
//	Webhooks   a WebhookAdmissionConfiguration: where credentials and static
//	           manifests are (S-033 to S-035)
//	Admission  an AdmissionConfiguration, as of --admission-control-config-file,
//	           which holds the former or says where they are (S-030 to S-032)
//
// The steps are apiserver's: a file is read, decoded strictly as YAML or JSON, and
// checked; the first mistake is the error, in apiserver's words. The one thing that
// is done otherwise: a plugin's file that cannot be read is an error like others,
// and does not end the process (S-031).
//
// The package keeps nothing, starts no goroutines, and does not open what the
// configurations point to, beyond a look at the folder of static manifests.
package pluginconfig
