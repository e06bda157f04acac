package admission

// AuditAnnotation is an annotation that admission adds to the audit event of a
// request.
type AuditAnnotation struct {
	Key, Value string
	// Level is the lowest audit level at which the audit event has the
	// annotation.
	Level AuditLevel
}

// AuditLevel is an audit level of kube-apiserver's audit policy. Admission uses
// two.
type AuditLevel string

const (
	// AuditMetadata is the level of all annotations but patches.
	AuditMetadata AuditLevel = "Metadata"
	// AuditRequest is the level of patches, which contain parts of the object
	// (S-314).
	AuditRequest AuditLevel = "Request"
)
