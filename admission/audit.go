package admission

// AuditAnnotation is one entry that admission adds to the audit event of a
// request.
type AuditAnnotation struct {
	Key, Value string
	// Level is the least audit level at which the entry is written.
	Level AuditLevel
}

// AuditLevel is an audit level of kube-apiserver's audit policy. Only the two
// at which admission annotates are named.
type AuditLevel string

const (
	// AuditMetadata is the level of all annotations but patches.
	AuditMetadata AuditLevel = "Metadata"
	// AuditRequest is the level of patches, which show the object (S-314).
	AuditRequest AuditLevel = "Request"
)
