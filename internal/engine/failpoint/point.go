package failpoint

// Point is a point in the execution of the engine.
type Point uint8

// The points, in the order in which a request reaches them. It reaches those
// from BeforeMatch to AfterRecord for every webhook, and those from
// BeforeEndpoint to AfterPatch for every call, as far as the call gets.
const (
	// BeforeSnapshot and AfterSnapshot: the engine gets the snapshot of the
	// source.
	BeforeSnapshot Point = 1 + iota
	AfterSnapshot
	// BeforeMatch and AfterMatch: a webhook is matched.
	BeforeMatch
	AfterMatch
	// BeforeConversion and AfterConversion: the object is converted to the
	// version of the webhook's rules.
	BeforeConversion
	AfterConversion
	// BeforeEndpoint and AfterEndpoint: the engine gets the webhook's endpoint.
	BeforeEndpoint
	AfterEndpoint
	// BeforeEncode and AfterEncode: the review is built.
	BeforeEncode
	AfterEncode
	// BeforeConnect: the engine calls the transport.
	BeforeConnect
	// Connected: the transport has a connection.
	Connected
	// RequestWritten: the review is written to the connection's buffer; see the
	// package comment.
	RequestWritten
	// Headers: the header of the response has arrived.
	Headers
	// MidBody: a part of the body has been read; once for each part.
	MidBody
	// BeforeDecode and AfterDecode: the response is decoded.
	BeforeDecode
	AfterDecode
	// BeforePatch and AfterPatch: the patch is applied.
	BeforePatch
	AfterPatch
	// BeforeRecord: the call has ended, and no recorder has received it.
	BeforeRecord
	// BeforeAnnotation and AfterAnnotation: an annotation is added to the audit
	// event; once for each annotation.
	BeforeAnnotation
	AfterAnnotation
	// AfterRecord: all recorders have received the call; its effect on the
	// request is not decided.
	AfterRecord
	// BeforeWriteBack and AfterWriteBack: the request gets the patched object.
	BeforeWriteBack
	AfterWriteBack

	end

	// BeforeEvaluation and AfterEvaluation: a policy is evaluated with a param.
	BeforeEvaluation
	AfterEvaluation
)

// Points returns all points of webhooks in order.
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
		BeforeEvaluation: "BeforeEvaluation", AfterEvaluation: "AfterEvaluation",
	}
	if int(p) >= len(names) || names[p] == "" {
		return "unknown"
	}
	return names[p]
}
