package faultserver

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/net/http2"
)

func (s Script) validate() error {
	var errs []error
	if !slices.Contains([]Listening{"", ListenAccept, ListenRefuse, ListenFull}, s.Listen) {
		errs = append(errs, fmt.Errorf("listen: there is no %q", s.Listen))
	}
	for i, c := range s.Connections {
		if err := c.TLS.validate(); err != nil {
			errs = append(errs, fmt.Errorf("connections[%d].tls: %w", i, err))
		}
	}
	s.eachStep(func(at position, step Step) {
		if err := s.validateStep(at.stage, step); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", at.path, err))
		}
	})
	if s.Other != nil {
		errs = append(errs, s.validateOther())
	}
	return errors.Join(errs...)
}

func (s Script) validateOther() error {
	if s.Other.Other != nil {
		return errors.New("other.other: there are no more than two origins")
	}
	if err := s.Other.validate(); err != nil {
		return fmt.Errorf("other: %w", err)
	}
	return nil
}

func (t TLS) validate() error {
	if !slices.Contains(append(certificateKinds(), ""), t.Certificate) {
		return fmt.Errorf("certificate: there is no %q", t.Certificate)
	}
	for _, version := range []string{t.MinVersion, t.MaxVersion} {
		if _, err := parseVersion(version, 0); err != nil {
			return err
		}
	}
	if t.Stall != nil && *t.Stall < 0 {
		return errors.New("stall is negative")
	}
	return nil
}

// kinds returns the names of the fields that are set.
func (s Step) kinds() []string {
	var set []string
	for _, field := range []struct {
		name string
		set  bool
	}{
		{"sleep", s.Sleep != 0}, {"read", s.Read != ""}, {"write", s.Write != nil},
		{"interim", s.Interim != nil}, {"answer", s.Answer != nil}, {"hang", s.Hang},
		{"close", s.Close}, {"cut", s.Cut}, {"halfClose", s.HalfClose}, {"reset", s.Reset},
		{"goAway", s.GoAway != nil}, {"resetStream", s.ResetStream != ""},
	} {
		if field.set {
			set = append(set, field.name)
		}
	}
	return set
}

func (s Script) validateStep(at stage, step Step) error {
	kinds := step.kinds()
	if len(kinds) != 1 {
		return fmt.Errorf("a step does one thing, not %d %q", len(kinds), kinds)
	}
	kind := kinds[0]
	if at != request && slices.Contains([]string{"interim", "answer", "resetStream"}, kind) ||
		at == before && kind == "goAway" {
		return fmt.Errorf("%s: it is too early for that", kind)
	}
	if at != request && kind == "read" && step.Read != ReadNothing {
		return fmt.Errorf("read: before a request only %q can be said", ReadNothing)
	}
	if err := s.validateDetails(step); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}

func (s Script) validateDetails(step Step) error {
	switch {
	case step.Sleep < 0:
		return errors.New("the duration is negative")
	case step.Read != "":
		return step.Read.validate()
	case step.Write != nil:
		return errors.Join(oneOf(len(step.Write.Text) > 0, len(step.Write.Bytes) > 0),
			step.Write.Pace.validate(), s.validateText("text", step.Write.Text))
	case step.Interim != nil:
		if step.Interim.Code < 100 || step.Interim.Code > 199 {
			return fmt.Errorf("code %d is not one of an interim response", step.Interim.Code)
		}
		if step.Interim.Times < 0 {
			return errors.New("times is negative")
		}
		return s.validateHeaders(step.Interim.Headers)
	case step.Answer != nil:
		return s.validateAnswer(step.Answer)
	case step.GoAway != nil:
		_, err := parseCode(step.GoAway.Code)
		return errors.Join(err, s.offersHTTP2())
	case step.ResetStream != "":
		_, err := parseCode(step.ResetStream)
		return errors.Join(err, s.offersHTTP2())
	}
	return nil
}

func (r Read) validate() error {
	if slices.Contains([]Read{ReadNothing, ReadHeaders, ReadAll}, r) {
		return nil
	}
	if n, err := strconv.ParseInt(string(r), 10, 64); err != nil || n < 0 {
		return fmt.Errorf("%q is no amount: want nothing, headers, all or a number of bytes", string(r))
	}
	return nil
}

func (s Script) validateAnswer(a *Answer) error {
	errs := []error{s.validateHeaders(a.Headers), a.HeadPace.validate(), a.BodyPace.validate()}
	if !slices.Contains([]Framing{"", FramingLength, FramingChunked, FramingClose}, a.Framing) {
		errs = append(errs, fmt.Errorf("framing: there is no %q", a.Framing))
	}
	if negative(a.Stop) {
		errs = append(errs, errors.New("stop is negative"))
	}
	if b := a.Body; b != nil {
		if b.Endless && a.framing() == FramingLength && a.Length == nil {
			errs = append(errs, errors.New("an endless body has no length: set framing or length"))
		}
		errs = append(errs, s.validateBody(b))
	}
	return errors.Join(errs...)
}

func (s Script) validateBody(b *Body) error {
	errs := []error{oneOf(len(b.Text) > 0, len(b.Bytes) > 0, b.Review != nil),
		s.validateText("body.text", b.Text)}
	if b.Review != nil {
		errs = append(errs, s.validateReview(b.Review))
	}
	if !slices.Contains([]string{"", "utf-8-bom", "utf-16le", "latin-1"}, b.Charset) {
		errs = append(errs, fmt.Errorf("body.charset: there is no %q", b.Charset))
	}
	if negative(b.Keep) {
		errs = append(errs, errors.New("body.keep is negative"))
	}
	if b.Pad < 0 {
		errs = append(errs, errors.New("body.pad is negative"))
	}
	return errors.Join(errs...)
}

func (s Script) validateReview(r *Review) error {
	errs := []error{s.validateText("body.review.patch", r.Patch)}
	if r.Status != nil {
		errs = append(errs, s.validateText("body.review.status.message", r.Status.Message))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Fields)) {
		errs = append(errs, s.validateText("body.review.fields."+name, r.Fields[name]))
	}
	return errors.Join(errs...)
}

func negative(n *int64) bool { return n != nil && *n < 0 }

func (s Script) validateHeaders(headers []Header) error {
	for i, h := range headers {
		if h.Name == "" {
			return fmt.Errorf("headers[%d]: no name", i)
		}
		if h.Times < 0 {
			return fmt.Errorf("headers[%d]: times is negative", i)
		}
		if err := s.validateText(fmt.Sprintf("headers[%d].value", i), h.Value); err != nil {
			return err
		}
	}
	return nil
}

func (p *Pace) validate() error {
	if p == nil {
		return nil
	}
	if p.Rate < 0 || p.Pause < 0 || len(p.Split) > 0 && p.Split[0] < 0 || !slices.IsSorted(p.Split) {
		return errors.New("pace: nothing must be negative, and split must ascend")
	}
	return nil
}

// validateText reports a text that cannot be written, or leads to an origin
// that is not there.
func (s Script) validateText(name string, t Text) error {
	for i, p := range t {
		if p.Times < 0 {
			return fmt.Errorf("%s: times of piece %d is negative", name, i)
		}
	}
	if s.Other == nil && t.mentions("{{other}}") {
		return fmt.Errorf(
			"%s: {{other}} stands for a second origin, and the script has none: set other", name)
	}
	return nil
}

// offersHTTP2 reports that no client could ever see a step of HTTP/2.
func (s Script) offersHTTP2() error {
	for _, c := range s.Connections {
		if !c.TLS.Off && slices.Contains(c.TLS.ALPN, http2.NextProtoTLS) {
			return nil
		}
	}
	return errors.New("that is HTTP/2, which no connection of the script offers: set tls.alpn")
}

// parseCode finds an error code of HTTP/2 by its name.
func parseCode(name string) (http2.ErrCode, error) {
	if name == "" {
		return http2.ErrCodeNo, nil
	}
	for code := http2.ErrCodeNo; code <= http2.ErrCodeHTTP11Required; code++ {
		if code.String() == name {
			return code, nil
		}
	}
	return 0, fmt.Errorf("HTTP/2 has no error code %q", name)
}

func oneOf(set ...bool) error {
	count := 0
	for _, yes := range set {
		if yes {
			count++
		}
	}
	if count > 1 {
		return errors.New("the content is given twice: set one of text, bytes and review")
	}
	return nil
}
