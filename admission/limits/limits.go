package limits

import "fmt"

// Limits says how much an answer may cost. A field that is zero means its
// default; a negative one is an error of configuration. Sizes are in bytes.
//
// What exceeds a limit on the response is a failed call, which the failurePolicy
// decides; what exceeds a limit on the patch is an internal error, as every patch
// that does not apply. The errors wrap an *Error. kube-apiserver has none of
// these limits (S-226).
type Limits struct {
	// ResponseBody is the size of a response's body after decompression. By
	// default 8 MiB: twice what an object of kube-apiserver's largest size can
	// need as a patch in base64.
	ResponseBody int
	// ResponseHeader is the size of the headers of a response, those of its
	// interim responses included. By default 64 KiB.
	ResponseHeader int
	// InterimResponses is how many responses of the codes 100 to 199 a call may
	// send ahead of its answer. By default 8.
	InterimResponses int
	// Budget is what the bodies of all calls in flight may take together, each
	// without its first 64 KiB. It may be shared by several dispatchers. By default every dispatcher has one
	// of its own, of 256 MiB.
	Budget *Budget

	// PatchSize is the size of a JSON patch, decoded from base64. By default
	// 3 MiB, which is the most that kube-apiserver takes from a user.
	PatchSize int
	// PatchOperations is how many operations a patch may have. By default
	// 10,000, the number that kube-apiserver sets for users.
	PatchOperations int
	// PatchCopies is how much "copy" operations may copy in one patch. By
	// default 3 MiB. Without a limit, twenty operations make a gigabyte of a
	// kilobyte.
	PatchCopies int
	// PatchedObject is the size of the patched object as JSON. By default 3 MiB;
	// a host that stores larger objects has to raise it.
	PatchedObject int

	// AuditAnnotations is how many audit annotations a response may have. Those
	// whose keys come last in alphabetical order are dropped, and counted in
	// admission.Call.Dropped. By default 64.
	AuditAnnotations int
	// AuditAnnotationSize is the size of an audit annotation's value. Longer ones
	// are cut; see Cut. By default 64 KiB.
	AuditAnnotationSize int
	// Causes is how many causes the details of a denial may have; those that come
	// last are dropped. By default 64.
	Causes int
	// Warnings is how many warnings a response may have. Those that come last
	// are dropped, and counted in admission.Call.Dropped. By default 64.
	Warnings int
	// WarningLength is how many characters a warning may have; longer ones end
	// there. By default 4,096, as many as kube-apiserver sends to a client for all
	// warnings of a request together: its recorder cuts what is beyond (S-301).
	WarningLength int
	// Message is the size of what a webhook can make a message say: each text of
	// a denial, and errors that quote it. Longer ones are cut; see Cut. By default
	// 4 KiB.
	Message int
}

// WithDefaults returns the limits with defaults for the fields that are zero. The
// error names a field that is negative.
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
