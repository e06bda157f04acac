package apiserver

import (
	"errors"
	"fmt"

	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/options"
)

// Audit says what is written down about requests. The zero value stands for
// nothing; otherwise both files are required.
type Audit struct {
	// PolicyFile is the path of an audit.k8s.io/v1 Policy, as kube-apiserver's
	// --audit-policy-file takes it.
	PolicyFile string
	// LogFile is the path of the log, one JSON object per line; it is made if it is
	// not there, and otherwise continued. "-" is the standard output. A request
	// waits for its line, which is on its way before the answer is complete, and is
	// answered all the same if it cannot be written. Nobody rotates the log.
	LogFile string
}

// install has the server keep the log.
func (a Audit) install(config *genericapiserver.Config) error {
	if a == (Audit{}) {
		return nil
	}
	if a.PolicyFile == "" || a.LogFile == "" {
		return errors.New("an audit log takes a policy file and a log file")
	}
	o := options.NewAuditOptions()
	o.PolicyFile = a.PolicyFile
	o.LogOptions.Path = a.LogFile
	// With a limit there would be goroutines that never end.
	o.LogOptions.MaxSize = 0
	if err := o.ApplyTo(config); err != nil {
		return fmt.Errorf("preparing the audit log: %w", err)
	}
	return nil
}
