package apiserver

import (
	"errors"
	"fmt"

	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/options"
)

// Audit configures the audit log. The zero value is no log; otherwise both
// files are required.
type Audit struct {
	// PolicyFile is the path of an audit.k8s.io/v1 Policy, as for
	// kube-apiserver's flag --audit-policy-file.
	PolicyFile string
	// LogFile is the path of the log, to which the server appends one JSON
	// object per line; "-" is standard output. The server writes the line
	// before it completes the response. If the write fails, the request does
	// not fail. The server does not rotate the log.
	LogFile string
}

// install adds the audit log to config.
func (a Audit) install(config *genericapiserver.Config) error {
	if a == (Audit{}) {
		return nil
	}
	if a.PolicyFile == "" || a.LogFile == "" {
		return errors.New("an audit log needs a policy file and a log file")
	}
	o := options.NewAuditOptions()
	o.PolicyFile = a.PolicyFile
	o.LogOptions.Path = a.LogFile
	// Rotation starts a goroutine that never ends.
	o.LogOptions.MaxSize = 0
	if err := o.ApplyTo(config); err != nil {
		return fmt.Errorf("preparing the audit log: %w", err)
	}
	return nil
}
