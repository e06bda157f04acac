package faultserver

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHugeBodiesAreNotHeld keeps the server out of the way of tests that
// measure the memory of a client in the same process. It is not parallel,
// because all that the process allocates counts.
func TestHugeBodiesAreNotHeld(t *testing.T) {
	const size, most = 32 << 20, 4 << 20
	rows := []struct {
		name, why string
		body      Body
	}{
		{"padded", "spaces are one block", Body{Text: Plain("x"), Pad: size}},
		{"compressed", "padding is compressed once", Body{Text: Plain("x"), Pad: size, Gzip: true}},
		{"repeated", "pieces are one block", Body{Text: Text{{Repeat: "[", Times: size}}}},
		{"numbered", "pieces are collected to blocks", Body{Text: Text{{Repeat: strings.Repeat("x", 1000) + "{{i}}", Times: size / 100_000}}}},
		{"UTF-16", "runes are encoded block by block", Body{Text: Text{{Repeat: "x", Times: size / 4}}, Charset: "utf-16le"}},
		{"Latin-1", "the same", Body{Text: Text{{Repeat: "x", Times: size / 4}}, Charset: "latin-1"}},
		{"message", "strings are escaped piece by piece", Body{Review: &Review{Status: &Status{Message: Text{{Repeat: "x", Times: 1 << 20}}}}}},
	}
	v := &values{body: func() []byte { return nil }}
	for _, row := range rows {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		count := &counter{w: io.Discard}
		if err := row.body.write(count, v); err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > most {
			t.Errorf("%s: %d bytes were allocated for %d (%s)", row.name, used, count.n, row.why)
		}
	}
}

func TestReviewFields(t *testing.T) {
	t.Parallel()
	none, wrong := "", "x"
	rows := []struct {
		name, why string
		review    Review
		want      string
	}{
		{"zero", "a denial without a status", Review{}, `{"apiVersion":"v","kind":"AdmissionReview","response":{"uid":"u","allowed":false}}`},
		{"nothing", "every part can be left out", Review{APIVersion: &none, Kind: &none, Fields: map[string]Text{"uid": nil, "allowed": nil}}, `{"response":{}}`},
		{"wrong", "every part can be wrong", Review{APIVersion: &wrong, Kind: &wrong, UID: &wrong, Fields: map[string]Text{"allowed": Plain(`"true"`)}}, `{"apiVersion":"x","kind":"x","response":{"uid":"x","allowed":"true"}}`},
		{"patch", "in base64, with its type", Review{Allowed: true, Patch: Plain("[]")}, `{"apiVersion":"v","kind":"AdmissionReview","response":{"uid":"u","allowed":true,"patch":"W10=","patchType":"JSONPatch"}}`},
		{"status", "a message is escaped", Review{Status: &Status{Status: "Success", Code: 7, Reason: "r", Message: Plain("\"{{uid}}\"\n"), RetryAfterSeconds: 3}}, `{"apiVersion":"v","kind":"AdmissionReview","response":{"uid":"u","allowed":false,"status":{"status":"Success","code":7,"reason":"r","message":"\"u\"\n","details":{"retryAfterSeconds":3}}}}`},
		{"extras", "what clients pass on", Review{Warnings: []string{"w"}, AuditAnnotations: map[string]string{"k": "v"}}, `{"apiVersion":"v","kind":"AdmissionReview","response":{"uid":"u","allowed":false,"warnings":["w"],"auditAnnotations":{"k":"v"}}}`},
	}
	v := func() *values {
		return &values{body: func() []byte { return []byte(`{"apiVersion":"v","request":{"uid":"u"}}`) }}
	}
	for _, row := range rows {
		if row.why == "" {
			t.Fatalf("row %q has no reason", row.name)
		}
		var got bytes.Buffer
		if err := (&Body{Review: &row.review}).write(&got, v()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row.want, got.String()); diff != "" || !json.Valid(got.Bytes()) {
			t.Errorf("%s (%s), -want +got:\n%s", row.name, row.why, diff)
		}
	}
}

// TestTranscoder has runes arrive in parts.
func TestTranscoder(t *testing.T) {
	t.Parallel()
	const text = "x€\xFF𝄞\xE2\x82" // the last rune is not complete
	want := []byte{'x', 0, 0xAC, 0x20, 0xFD, 0xFF, 0x34, 0xD8, 0x1E, 0xDD, 0xFD, 0xFF, 0xFD, 0xFF}
	for size := 1; size <= len(text); size++ {
		var got bytes.Buffer
		w := &transcoder{w: &got, encode: appendUTF16}
		for part := range slices.Chunk([]byte(text), size) {
			if _, err := w.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.flush(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Bytes()); diff != "" {
			t.Errorf("in parts of %d bytes (-want +got):\n%s", size, diff)
		}
	}
}

// TestBomb decompresses what was compressed in parts.
func TestBomb(t *testing.T) {
	t.Parallel()
	var compressed bytes.Buffer
	body := Body{Text: Plain("x"), Pad: 2*bomb + 7, Gzip: true}
	if err := body.write(&compressed, &values{}); err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(&compressed)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if string(content) != "x"+strings.Repeat(" ", 2*bomb+6) {
		t.Errorf("%d bytes came out, beginning with %q", len(content), content[:1])
	}
}
