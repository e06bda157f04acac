package review

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"unicode/utf8"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// scan reads an AdmissionReview of v1 as webhooks write it, without reflection: of
// known fields, each at most once and of the type that it has to have, in strings
// without escapes. It reports false for everything else, be it wrong or merely
// unusual, which is then up to the codec; so the two never disagree.
func scan(body []byte) (*admissionv1.AdmissionReview, bool) {
	s := &scanner{rest: body}
	both := &struct { // in one piece
		review   admissionv1.AdmissionReview
		response admissionv1.AdmissionResponse
	}{}
	review := &both.review
	s.object(func(name []byte) {
		switch string(name) {
		case "kind":
			review.Kind = s.text()
		case "apiVersion":
			review.APIVersion = s.text()
		case "response":
			review.Response = &both.response
			s.response(review.Response)
		default:
			s.failed = true
		}
	})
	s.blanks()
	complete := !s.failed && len(s.rest) == 0 && utf8.Valid(body)
	return review, complete && review.APIVersion == apiVersionV1 && review.Kind == reviewKind
}

func (s *scanner) response(r *admissionv1.AdmissionResponse) {
	s.object(func(name []byte) {
		switch string(name) {
		case "uid":
			r.UID = types.UID(s.text())
		case "allowed":
			r.Allowed = s.truth()
		case "status":
			r.Result = s.status()
		case "patch":
			r.Patch = s.base64()
		case "patchType":
			r.PatchType = new(admissionv1.PatchType(s.text()))
		case "auditAnnotations":
			r.AuditAnnotations = map[string]string{}
			s.members(func(key []byte) { r.AuditAnnotations[string(key)] = s.text() })
		case "warnings":
			r.Warnings = s.texts()
		default:
			s.failed = true
		}
	})
}

func (s *scanner) status() *metav1.Status {
	status := &metav1.Status{}
	s.object(func(name []byte) {
		switch string(name) {
		case "metadata":
			s.members(func([]byte) { s.failed = true }) // it is empty
		case "status":
			status.Status = s.text()
		case "message":
			status.Message = s.text()
		case "reason":
			status.Reason = metav1.StatusReason(s.text())
		case "code":
			status.Code = s.number()
		default:
			s.failed = true
		}
	})
	return status
}

// scanner reads JSON from the front. Once it has failed, whatever it returns means
// nothing.
type scanner struct {
	rest   []byte
	failed bool
}

// object reads an object of a few members that differ.
func (s *scanner) object(member func(name []byte)) {
	var seen [8][]byte
	n := 0
	s.members(func(name []byte) {
		for _, one := range seen[:n] {
			s.failed = s.failed || bytes.Equal(one, name)
		}
		if n == len(seen) || s.failed {
			s.failed = true
			return
		}
		seen[n] = name
		n++
		member(name)
	})
}

// members reads an object.
func (s *scanner) members(member func(name []byte)) {
	s.list('{', '}', func() {
		name := s.quoted()
		s.expect(':')
		member(name)
	})
}

func (s *scanner) texts() []string {
	list := []string{}
	s.list('[', ']', func() { list = append(list, s.text()) })
	return list
}

// list reads elements with commas between them.
func (s *scanner) list(open, end byte, element func()) {
	s.expect(open)
	if s.next() == end {
		s.expect(end)
		return
	}
	for !s.failed {
		element()
		if s.next() != ',' {
			break
		}
		s.expect(',')
	}
	s.expect(end)
}

// text reads a string without escapes.
func (s *scanner) text() string {
	quoted := s.quoted()
	for _, one := range []string{apiVersionV1, reviewKind} { // which nearly all answers have
		if string(quoted) == one {
			return one
		}
	}
	return string(quoted)
}

const apiVersionV1, reviewKind = "admission.k8s.io/v1", "AdmissionReview"

func (s *scanner) base64() []byte {
	encoded := s.quoted()
	decoded := make([]byte, base64.StdEncoding.DecodedLen(len(encoded)))
	n, err := base64.StdEncoding.Decode(decoded, encoded)
	s.failed = s.failed || err != nil
	return decoded[:n]
}

func (s *scanner) quoted() []byte {
	s.expect('"')
	for i, c := range s.rest {
		switch {
		case c == '"':
			text := s.rest[:i]
			s.rest = s.rest[i+1:]
			return text
		case c == '\\' || c < ' ':
			s.failed = true
			return nil
		}
	}
	s.failed = true
	return nil
}

func (s *scanner) truth() bool {
	for _, word := range []string{"true", "false"} {
		if s.next() == word[0] && len(s.rest) >= len(word) && string(s.rest[:len(word)]) == word {
			s.rest = s.rest[len(word):]
			return word == "true"
		}
	}
	s.failed = true
	return false
}

// number reads a natural number of at most nine digits, which all integers hold.
func (s *scanner) number() int32 {
	s.blanks()
	n := 0
	for n < len(s.rest) && n < 9 && s.rest[n] >= '0' && s.rest[n] <= '9' {
		n++
	}
	value, err := strconv.Atoi(string(s.rest[:n]))
	s.failed = s.failed || err != nil || s.rest[0] == '0' && n > 1
	s.rest = s.rest[n:]
	return int32(value)
}

// expect reads one character.
func (s *scanner) expect(c byte) {
	if s.next() != c {
		s.failed = true
		return
	}
	s.rest = s.rest[1:]
}

// next returns the next character that is not blank, or 0.
func (s *scanner) next() byte {
	s.blanks()
	if s.failed || len(s.rest) == 0 {
		return 0
	}
	return s.rest[0]
}

func (s *scanner) blanks() {
	for len(s.rest) > 0 && (s.rest[0] == ' ' || s.rest[0] == '\n' || s.rest[0] == '\r' || s.rest[0] == '\t') {
		s.rest = s.rest[1:]
	}
}
