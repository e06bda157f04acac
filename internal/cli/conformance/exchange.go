package conformance

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
)

// maxBrief is the number of characters of a body in the short form.
const maxBrief = 300

// writeExchange writes an exchange. The short form has a line for the request
// and one for the response, each with its body; the long form has the bodies
// below these lines.
func writeExchange(out io.Writer, x *report.Exchange, indent string, all bool) {
	sent := x.Method + " " + x.URL
	switch x.RequestType {
	case "":
	case "-":
		sent += " without a Content-Type"
	default:
		sent += " as " + x.RequestType
	}
	answered := strings.TrimSpace(fmt.Sprintf("%d %s", x.Status, x.ContentType)) + " in " + elapsed(x)
	if x.Status == 0 {
		answered = "nothing in " + elapsed(x)
	}
	if x.Error != "" {
		answered += ": " + x.Error
	}
	for _, half := range []struct {
		verb, head string
		body       json.RawMessage
	}{{"sent", sent, x.Request}, {"answered", answered, x.Response}} {
		line := fmt.Sprintf("%s%-8s %s", indent, half.verb, message.Escaped(half.head))
		switch {
		case len(half.body) == 0:
			fmt.Fprintln(out, line)
		case all:
			fmt.Fprintf(out, "%s\n%s", line, whole(half.body, indent+"  "))
		default:
			fmt.Fprintf(out, "%s %s\n", line, brief(half.body))
		}
	}
}

func elapsed(x *report.Exchange) string {
	return time.Duration(x.Milliseconds * float64(time.Millisecond)).Round(
		100 * time.Microsecond).String()
}

// whole returns a body with each line indented.
func whole(body json.RawMessage, indent string) string {
	shown := string(body)
	var indented bytes.Buffer
	var plain string
	switch {
	case json.Unmarshal(body, &plain) == nil:
		shown = plain
	case json.Indent(&indented, body, "", "  ") == nil:
		shown = indented.String()
	}
	var out strings.Builder
	for line := range strings.Lines(shown) {
		fmt.Fprintf(&out, "%s%s\n", indent, message.Escaped(strings.TrimRight(line, "\r\n")))
	}
	return out.String()
}

// brief returns a body in one line: requests without the objects and derived
// fields, responses with a decoded patch.
func brief(body json.RawMessage) string {
	shown := string(body)
	var plain string
	var document map[string]any
	if json.Unmarshal(body, &plain) == nil {
		shown = plain
	} else if numbersAsWritten(body, &document) == nil {
		abridge(document)
		shown = compact(document)
	}
	if utf8.RuneCountInString(shown) > maxBrief {
		shown = string([]rune(shown)[:maxBrief]) + "…"
	}
	return message.Escaped(shown)
}

// abridge removes what the short form omits from an AdmissionReview.
func abridge(review map[string]any) {
	if request, ok := review["request"].(map[string]any); ok {
		for _, field := range []string{
			"object", "oldObject", "options", "userInfo", "kind", "resource", "requestKind",
			"requestResource", "subResource", "requestSubResource", "name", "namespace",
		} {
			delete(request, field)
		}
	}
	response, ok := review["response"].(map[string]any)
	if !ok {
		return
	}
	if _, echoed := review["request"]; echoed {
		review["request"] = "…"
	}
	coded, _ := response["patch"].(string)
	patch, err := base64.StdEncoding.DecodeString(coded)
	var operations any
	if err == nil && numbersAsWritten(patch, &operations) == nil {
		response["patch"] = operations
	}
}

func numbersAsWritten(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

func compact(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(out.String())
}
