package check

import (
	"encoding/json"
	"time"
	"unicode/utf8"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

const (
	// longest is how much of a body is kept, and longestMessage how much of a message.
	longest        = 16 << 10
	longestMessage = 1 << 10
)

// shown returns a finding as it may be shown: the data of Secrets that its exchanges have
// is in none of it, and messages and bodies are cut. They are hidden first: what is left of
// a value that was cut looks like any other text. So what a finding without evidence says
// must not quote objects.
func shown(f report.Finding, exchanges []*probe.Exchange) report.Finding {
	bodies := make([]explain.Exchange, len(exchanges))
	for i, x := range exchanges {
		bodies[i] = explain.Exchange{Request: explain.Body(x.Sent), Response: explain.Body(x.Body), Cut: x.Cut() || x.Err != nil}
	}
	hider := explain.HideSecrets(bodies)
	f.Message = beginning(hider.Text(f.Message), longestMessage)
	paths := f.Paths
	f.Paths = nil
	for _, path := range paths {
		f.Paths = append(f.Paths, hider.Path(path))
	}
	for i, x := range exchanges {
		e := report.Exchange{
			Method: x.Method, URL: x.URL, Status: x.Status, ContentType: hider.Text(x.Header.Get("Content-Type")),
			Milliseconds: float64(x.Elapsed) / float64(time.Millisecond),
			Request:      cut(bodies[i].Request), Response: cut(bodies[i].Response),
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

// cut returns a body that is not too long, or as a string what of it is not.
func cut(body json.RawMessage) json.RawMessage {
	if len(body) <= longest {
		return body
	}
	text := string(body)
	if body[0] == '"' {
		// One that was no JSON is a string already.
		if json.Unmarshal(body, &text) != nil {
			return nil
		}
	}
	return explain.Body([]byte(beginning(text, longest)))
}

// beginning returns not much more than that many bytes of a text, and all of it if it has
// no more. It ends between characters.
func beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
