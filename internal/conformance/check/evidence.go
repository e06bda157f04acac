package check

import (
	"encoding/json"
	"time"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

const (
	// maxBody and maxMessage limit bodies and messages, in bytes.
	maxBody    = 16 << 10
	maxMessage = 1 << 10
)

// redacted adds the evidence to a finding. It hides the data of the Secrets in
// the exchanges, then truncates messages and bodies: a truncated value could
// not be recognized. So a message without evidence must not quote objects.
func redacted(f report.Finding, exchanges []*probe.Exchange) report.Finding {
	bodies := make([]explain.Exchange, len(exchanges))
	for i, x := range exchanges {
		bodies[i] = explain.Exchange{Request: explain.Body(x.Sent), Response: explain.Body(x.Body),
			Cut: x.Truncated || x.Err != nil}
	}
	hider := explain.HideSecrets(bodies)
	f.Message = limits.Cut(hider.Text(f.Message), maxMessage)
	paths := f.Paths
	f.Paths = nil
	for _, path := range paths {
		f.Paths = append(f.Paths, hider.Path(path))
	}
	for i, x := range exchanges {
		e := report.Exchange{
			Method: x.Method, URL: x.URL, Status: x.Status, ContentType: hider.Text(x.Header.Get("Content-Type")),
			Milliseconds: float64(x.Elapsed) / float64(time.Millisecond),
			Request:      truncateBody(bodies[i].Request), Response: truncateBody(bodies[i].Response),
		}
		if x.SentType != "application/json" {
			e.RequestType = x.SentType
		}
		if x.Err != nil {
			e.Error = hider.Text(x.Err.Error())
		}
		f.Evidence = append(f.Evidence, e)
	}
	return f
}

// truncateBody returns a body, or its beginning as a JSON string if it is too
// long.
func truncateBody(body json.RawMessage) json.RawMessage {
	if len(body) <= maxBody {
		return body
	}
	text := string(body)
	if body[0] == '"' {
		// It was no JSON, and is a string already.
		if json.Unmarshal(body, &text) != nil {
			return nil
		}
	}
	return explain.Body([]byte(limits.Cut(text, maxBody)))
}
