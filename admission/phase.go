package admission

// Phase is one of the two phases of admission.
type Phase uint8

const (
	// Mutating webhooks run first, one after the other, and may change the
	// object.
	Mutating Phase = 1 + iota
	// Validating webhooks run second, concurrently, and can only deny the
	// request.
	Validating
)

// String returns "mutating" or "validating".
func (p Phase) String() string {
	switch p {
	case Mutating:
		return "mutating"
	case Validating:
		return "validating"
	default:
		return "unknown"
	}
}
