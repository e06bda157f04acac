package limits

import "fmt"

// Limits bound a response. A field that is zero has its default; a negative one
// is an error. Sizes are in bytes.
//
// A response whose body or headers exceed a limit is a failed call, for which
// failurePolicy decides. A patch that exceeds a limit is an internal error, like a
// patch that does not apply. These errors wrap an *Error. Warnings, audit
// annotations and causes beyond a limit are dropped, longer texts are cut, and the
// call does not fail. kube-apiserver limits only the headers, to 10 MiB, and the
// copies of a patch, to 3 MiB (S-226).
type Limits struct {
	// ResponseBody is the size of a response's body after decompression. By
	// default 8 MiB: twice the size, in base64, of a patch that sets the
	// largest object that kube-apiserver stores.
	ResponseBody int
	// ResponseHeader is the size of the headers of a response and of its
	// interim responses together. By default 64 KiB.
	ResponseHeader int
	// InterimResponses is the number of responses with the codes 100 to 199
	// before the response. By default 8.
	InterimResponses int
	// Budget bounds the memory for the response bodies of all calls in flight,
	// without the first 64 KiB of each. Several dispatchers may share it. By
	// default each dispatcher has a budget of 256 MiB.
	Budget *Budget

	// PatchSize is the size of a JSON patch, decoded from base64. By default
	// 3 MiB, kube-apiserver's limit for patches of users.
	PatchSize int
	// PatchOperations is the number of operations in a patch. By default
	// 10,000, kube-apiserver's limit for patches of users.
	PatchOperations int
	// PatchCopies is the number of bytes that the "copy" operations of a patch
	// may copy. By default 3 MiB. Without a limit, twenty operations can turn a
	// kilobyte into a gigabyte.
	PatchCopies int
	// PatchedObject is the size of the patched object as JSON. By default 3
	// MiB; raise it in an API server that stores larger objects.
	PatchedObject int

	// AuditAnnotations is the number of audit annotations in a response. The
	// engine keeps those with the smallest keys, and counts the others in
	// admission.Call.Dropped. By default 64.
	AuditAnnotations int
	// AuditAnnotationSize is the size of an audit annotation's value. Longer
	// values are cut; see Cut. By default 64 KiB.
	AuditAnnotationSize int
	// Causes is the number of causes in the details of a denial. The engine
	// keeps the first ones. By default 64.
	Causes int
	// Warnings is the number of warnings in a response. The engine keeps the
	// first ones, and counts the others in admission.Call.Dropped. By default
	// 64.
	Warnings int
	// WarningLength is the number of characters in a warning. Longer warnings
	// are cut. By default 4,096, which kube-apiserver sends to a client for all
	// warnings of a request together (S-301).
	WarningLength int
	// Message is the size of a text of a denial, and of an error that quotes
	// the webhook. Longer texts are cut; see Cut. By default 4 KiB.
	Message int
}

// WithDefaults returns the limits with defaults for the fields that are zero.
// It returns an error if a field is negative.
func (l Limits) WithDefaults() (Limits, error) {
	for _, f := range l.fields() {
		switch {
		case *f.value < 0:
			return Limits{}, fmt.Errorf("%s is %d and must not be negative", f.name, *f.value)
		case *f.value == 0:
			*f.value = f.standard
		}
	}
	if l.Budget == nil {
		l.Budget = &Budget{}
	}
	if size := l.Budget.size; size < 0 {
		return Limits{}, fmt.Errorf("Budget is %d and must not be negative", size)
	}
	return l, nil
}

// field is a number of Limits with its default.
type field struct {
	name     string
	value    *int
	standard int
}

func (l *Limits) fields() []field {
	const kibi, mebi = 1 << 10, 1 << 20
	return []field{
		{"ResponseBody", &l.ResponseBody, 8 * mebi},
		{"ResponseHeader", &l.ResponseHeader, 64 * kibi},
		{"InterimResponses", &l.InterimResponses, 8},
		{"PatchSize", &l.PatchSize, 3 * mebi},
		{"PatchOperations", &l.PatchOperations, 10_000},
		{"PatchCopies", &l.PatchCopies, 3 * mebi},
		{"PatchedObject", &l.PatchedObject, 3 * mebi},
		{"AuditAnnotations", &l.AuditAnnotations, 64},
		{"AuditAnnotationSize", &l.AuditAnnotationSize, 64 * kibi},
		{"Causes", &l.Causes, 64},
		{"Warnings", &l.Warnings, 64},
		{"WarningLength", &l.WarningLength, 4096},
		{"Message", &l.Message, 4 * kibi},
	}
}
