package failpoint

// Point is a place in the engine.
type Point uint8

// The points, in the order in which a request comes to them. Those from BeforeMatch
// to AfterRecord are reached for every webhook, those from BeforeEndpoint to
// AfterPatch only for those that are called, and as far as the call gets.
const (
	// BeforeSnapshot and AfterSnapshot: the source is asked which webhooks are in
	// force.
	BeforeSnapshot Point = 1 + iota
	AfterSnapshot
	// BeforeMatch and AfterMatch: a webhook is matched.
	BeforeMatch
	AfterMatch
	// BeforeConversion and AfterConversion: the object is converted to the version
	// that the webhook wants.
	BeforeConversion
	AfterConversion
	// BeforeEndpoint and AfterEndpoint: the client is asked where the webhook is.
	BeforeEndpoint
	AfterEndpoint
	// BeforeEncode and AfterEncode: the review is made.
	BeforeEncode
	AfterEncode
	// BeforeConnect: the review is handed to the transport.
	BeforeConnect
	// Connected: the transport has a connection.
	Connected
	// RequestWritten: the review is written, but perhaps not sent; see the package
	// comment.
	RequestWritten
	// Headers: the head of the answer is there.
	Headers
	// MidBody: a part of the body has been read. It is reached once for every part.
	MidBody
	// BeforeDecode and AfterDecode: the whole answer is decoded.
	BeforeDecode
	AfterDecode
	// BeforePatch and AfterPatch: its patch is applied.
	BeforePatch
	AfterPatch
	// BeforeRecord: the call is over, and nobody has been told.
	BeforeRecord
	// BeforeAnnotation and AfterAnnotation: the host adds an annotation to the audit
	// event. They are reached once for every annotation.
	BeforeAnnotation
	AfterAnnotation
	// AfterRecord: everybody has been told, and what follows from the call is not
	// decided.
	AfterRecord
	// BeforeWriteBack and AfterWriteBack: the object is put into the request.
	BeforeWriteBack
	AfterWriteBack

	end
)

// Points returns all of them in order.
func Points() []Point {
	all := make([]Point, 0, end-1)
	for p := BeforeSnapshot; p < end; p++ {
		all = append(all, p)
	}
	return all
}

// String returns the point's name.
func (p Point) String() string {
	names := [...]string{
		BeforeSnapshot: "BeforeSnapshot", AfterSnapshot: "AfterSnapshot",
		BeforeMatch: "BeforeMatch", AfterMatch: "AfterMatch",
		BeforeConversion: "BeforeConversion", AfterConversion: "AfterConversion",
		BeforeEndpoint: "BeforeEndpoint", AfterEndpoint: "AfterEndpoint",
		BeforeEncode: "BeforeEncode", AfterEncode: "AfterEncode",
		BeforeConnect: "BeforeConnect", Connected: "Connected",
		RequestWritten: "RequestWritten", Headers: "Headers", MidBody: "MidBody",
		BeforeDecode: "BeforeDecode", AfterDecode: "AfterDecode",
		BeforePatch: "BeforePatch", AfterPatch: "AfterPatch",
		BeforeRecord: "BeforeRecord", BeforeAnnotation: "BeforeAnnotation",
		AfterAnnotation: "AfterAnnotation", AfterRecord: "AfterRecord",
		BeforeWriteBack: "BeforeWriteBack", AfterWriteBack: "AfterWriteBack",
	}
	if p == 0 || int(p) >= len(names) {
		return "unknown"
	}
	return names[p]
}
