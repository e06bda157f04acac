package faultserver_test

import (
	"testing"
	"time"
)

// TestSteps asks Go's own client what it makes of each kind of step.
func TestSteps(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, why, script string
		want              string // part of "STATUS BODY" or "error: ..."
	}{
		// Reaching the server.
		{"nothing", "the zero script behaves", `{}`, "200 " + allowed},
		{"refuse", "nothing listens", `{"listen":"refuse"}`, "connection refused"},
		{"full", "the kernel drops new connections", `{"listen":"full"}`, "deadline exceeded"},
		{"close before the handshake", "an orderly end is EOF, not a reset", `{"connections":[{"before":[{"close":true}]}]}`, "EOF"},
		{"reset before the handshake", "RST is told from FIN", `{"connections":[{"before":[{"sleep":"20ms"},{"reset":true}]}]}`, "connection reset by peer"},
		{"sleep before the handshake", "slow, but in time", `{"connections":[{"before":[{"sleep":"50ms"}]}]}`, "200 " + allowed},
		{"hang before the handshake", "no ServerHello", `{"connections":[{"before":[{"hang":true}]}]}`, "deadline exceeded"},
		{"garbage", "not TLS at all", `{"connections":[{"before":[{"write":{"text":"SSH-2.0-OpenSSH_9\r\n"}},{"close":true}]}]}`, "first record does not look like a TLS handshake"},
		{"binary garbage", "bytes that no text can hold", `{"connections":[{"before":[{"write":{"bytes":"//79/A=="}},{"close":true}]}]}`, "error: "},
		{"close after the handshake", "the request finds no server; whether it is written before depends", `{"connections":[{"after":[{"close":true}]}]}`, "error: "},
		{"first connection", "the first element is the first connection's", `{"connections":[{"before":[{"close":true}]},{}]}`, "EOF"},

		// TLS.
		{"good certificate", "what is the default can be said", `{"connections":[{"tls":{"certificate":"good"}}]}`, "200 " + allowed},
		{"chain", "an intermediate authority is fine if it is sent", `{"connections":[{"tls":{"certificate":"chain"}}]}`, "200 " + allowed},
		{"missing intermediate", "and not if it is not", `{"connections":[{"tls":{"certificate":"missing-intermediate"}}]}`, "unknown authority"},
		{"expired", "under both clocks", `{"connections":[{"tls":{"certificate":"expired"}}]}`, "has expired or is not yet valid"},
		{"not yet valid", "under both clocks", `{"connections":[{"tls":{"certificate":"not-yet-valid"}}]}`, "has expired or is not yet valid"},
		{"wrong name", "the client reaches 127.0.0.1", `{"connections":[{"tls":{"certificate":"wrong-name"}}]}`, "doesn't contain any IP SANs"},
		{"another address", "the client reaches 127.0.0.1", `{"connections":[{"tls":{"certificate":"ip-only"}}]}`, "is valid for 192.0.2.1, not 127.0.0.1"},
		{"common name only", "clients do not look at it any more", `{"connections":[{"tls":{"certificate":"no-san"}}]}`, "relies on legacy Common Name field"},
		{"unknown authority", "another authority's", `{"connections":[{"tls":{"certificate":"unknown-authority"}}]}`, "unknown authority"},
		{"client's certificate", "usage matters", `{"connections":[{"tls":{"certificate":"client-only"}}]}`, "incompatible key usage"},
		{"small key", "Go has no objection", `{"connections":[{"tls":{"certificate":"rsa-1024"}}]}`, "200 " + allowed},
		{"SHA-1", "Go has one", `{"connections":[{"tls":{"certificate":"sha-1"}}]}`, "insecure algorithm"},
		{"old version", "clients want 1.2", `{"connections":[{"tls":{"maxVersion":"1.0"}}]}`, "protocol version not supported"},
		{"TLS 1.2", "an older version that is fine", `{"connections":[{"tls":{"maxVersion":"1.2"}}]}`, "200 " + allowed},
		{"no protocol in common", "ALPN is negotiated", `{"connections":[{"tls":{"alpn":["spdy/1"]}}]}`, "no application protocol"},
		{"client certificate", "the client has none", `{"connections":[{"tls":{"clientCertificate":true}}]}`, "certificate required"},
		{"stall at once", "the handshake stops before it begins", `{"connections":[{"tls":{"stall":0}}]}`, "deadline exceeded"},
		{"stall", "the handshake stops half way", `{"connections":[{"tls":{"stall":100}}]}`, "deadline exceeded"},

		// How much is read.
		{"read nothing", "an answer may come before the question", `{"requests":[[{"read":"nothing"},{"answer":{"body":{"text":"x"}}}]]}`, "200 x"},
		{"read headers", "the body stays where it is", `{"requests":[[{"read":"headers"},{"answer":{"body":{"text":"[{{uid}}]"}}}]]}`, "200 []"},
		{"read some", "half a body has no UID", `{"requests":[[{"read":"10"},{"answer":{"body":{"text":"[{{uid}}]"}}}]]}`, "200 []"},
		{"read all", "placeholders come from the body", `{"requests":[[{"answer":{"body":{"text":"{{uid}} {{apiVersion}} {{path}} {{request}}"}}}]]}`, "200 u1 admission.k8s.io/v1 /check " + review},
		{"never read", "the request is never seen", `{"connections":[{"after":[{"read":"nothing"},{"hang":true}]}]}`, "deadline exceeded"},

		// Time.
		{"hang", "a client has to give up", `{"requests":[[{"hang":true}]]}`, "deadline exceeded"},
		{"sleep", "slow, but in time", `{"requests":[[{"sleep":"50ms"},{"answer":{}}]]}`, "200 "},
		{"slow head", "byte by byte", `{"requests":[[{"answer":{"headPace":{"rate":10}}}]]}`, "deadline exceeded"},
		{"slow body", "byte by byte", `{"requests":[[{"answer":{"body":{"text":"0123456789"},"bodyPace":{"rate":10}}}]]}`, "deadline exceeded"},
		{"fast enough", "a rate is no fault by itself", `{"requests":[[{"answer":{"body":{"text":"0123456789"},"bodyPace":{"rate":1000}}}]]}`, "200 0123456789"},
		{"split", "parts are put together again", `{"requests":[[{"answer":{"body":{"text":"0123456789"},"headPace":{"split":[3,20],"pause":"5ms"},"bodyPace":{"split":[1,9],"pause":"5ms"}}}]]}`, "200 0123456789"},

		// What is written.
		{"interim", "100 and 103 are skipped", `{"requests":[[{"interim":{"code":100}},{"interim":{"code":103,"times":2,"headers":[{"name":"Link","value":"</a>"}]}},{"answer":{"body":{"text":"x"}}}]]}`, "200 x"},
		{"many interim", "Go has a limit", `{"requests":[[{"interim":{"code":103,"times":2000000}},{"answer":{}}]]}`, "exceeded"},
		{"status", "any status can be sent", `{"requests":[[{"answer":{"status":418,"body":{"text":"x"}}}]]}`, "418 x"},
		{"status 99", "three digits are kept", `{"requests":[[{"answer":{"status":99,"body":{"text":"x"}}}]]}`, "99 x"},
		{"status 1000", "which is no status", `{"requests":[[{"answer":{"status":1000}}]]}`, "malformed HTTP status code"},
		{"no content", "204 has no length", `{"requests":[[{"answer":{"status":204}}]]}`, "204 "},
		{"old protocol", "HTTP/1.0", `{"requests":[[{"answer":{"proto":"HTTP/1.0","body":{"text":"x"}}}]]}`, "200 x"},
		{"huge headers", "Go has a limit", `{"requests":[[{"answer":{"headers":[{"name":"X-Filler","value":[{"repeat":"x","times":1000}],"times":20000}]}}]]}`, "exceeded"},
		{"two lengths", "a response cannot have both", `{"requests":[[{"answer":{"headers":[{"name":"Content-Length","value":"1"},{"name":"Content-Length","value":"2"}],"body":{"text":"xy"}}}]]}`, "multiple Content-Length"},
		{"negative length", "an invalid length is sent as it is", `{"requests":[[{"answer":{"length":-1,"body":{"text":"x"}}}]]}`, `bad Content-Length "-1"`},
		{"chunked", "another framing", `{"requests":[[{"answer":{"framing":"chunked","body":{"text":"x"}}}]]}`, "200 x"},
		{"chunked with a length", "the chunks win", `{"requests":[[{"answer":{"framing":"chunked","headers":[{"name":"Content-Length","value":"5"}],"body":{"text":"x"}}}]]}`, "200 x"},
		{"unfinished", "the last chunk is missing", `{"requests":[[{"answer":{"framing":"chunked","unfinished":true,"body":{"text":"x"}}}]]}`, "unexpected EOF"},
		{"bad chunk", "no number", `{"requests":[[{"answer":{"framing":"close","headers":[{"name":"Transfer-Encoding","value":"chunked"}],"body":{"text":"zz\r\n"}}}]]}`, "invalid byte in chunk length"},
		{"huge chunk", "2^72", `{"requests":[[{"answer":{"framing":"close","headers":[{"name":"Transfer-Encoding","value":"chunked"}],"body":{"text":"1000000000000000000\r\n"}}}]]}`, "chunk length too large"},
		{"until close", "closing ends the body", `{"requests":[[{"answer":{"framing":"close","body":{"text":"x"}}}]]}`, "200 x"},
		{"until cut", "Go does not insist on TLS's goodbye", `{"requests":[[{"answer":{"framing":"close","body":{"text":"x"}}},{"cut":true}]]}`, "200 x"},
		{"truncated", "fewer bytes than announced", `{"requests":[[{"answer":{"body":{"text":"0123456789"},"stop":4}}]]}`, "unexpected EOF"},
		{"reset in the body", "RST instead of the rest", `{"requests":[[{"answer":{"body":{"text":"0123456789"},"stop":4}},{"sleep":"20ms"},{"reset":true}]]}`, "connection reset by peer"},
		{"half-closed", "no answer can follow", `{"requests":[[{"halfClose":true},{"hang":true}]]}`, "EOF"},
		{"length too small", "what follows is not the body's", `{"requests":[[{"answer":{"body":{"text":"0123456789"},"length":4}}]]}`, "200 0123"},
		{"length too large", "what is announced does not come", `{"requests":[[{"answer":{"body":{"text":"0123456789"},"length":40}},{"hang":true}]]}`, "deadline exceeded"},
		{"no answer", "the request is read and the connection closed", `{"requests":[[{"close":true}]]}`, "EOF"},
		{"cut", "the same without a goodbye", `{"requests":[[{"cut":true}]]}`, "EOF"},
		{"no steps", "a request without an answer ends the connection", `{"requests":[[]]}`, "EOF"},
		{"not HTTP", "over TLS", `{"requests":[[{"write":{"text":"SSH-2.0-OpenSSH_9\r\n"}},{"close":true}]]}`, "malformed HTTP response"},
		{"switching", "the body is hijacked", `{"requests":[[{"answer":{"status":101,"headers":[{"name":"Connection","value":"Upgrade"},{"name":"Upgrade","value":"x"}]}},{"hang":true}]]}`, "101 "},
		{"redirect", "by the name that the client used", `{"requests":[[{"answer":{"status":307,"headers":[{"name":"Location","value":"{{self}}/x"}],"body":{"text":"{{self}}"}}}]]}`, "307 https://127.0.0.1:"},

		// Bodies.
		{"bytes", "what is not text", `{"requests":[[{"answer":{"body":{"bytes":"AAEC"}}}]]}`, "200 \x00\x01\x02"},
		{"byte order mark", "UTF-8 with one", `{"requests":[[{"answer":{"body":{"text":"x","charset":"utf-8-bom"}}}]]}`, "200 \uFEFFx"},
		{"UTF-16", "two bytes each", `{"requests":[[{"answer":{"body":{"text":"x€","charset":"utf-16le"}}}]]}`, "200 \xFF\xFEx\x00\xAC\x20"},
		{"Latin-1", "a way to write what is not UTF-8", `{"requests":[[{"answer":{"body":{"text":"x\u00ff","charset":"latin-1"}}}]]}`, "200 x\xFF"},
		{"kept", "an incomplete body, well framed", `{"requests":[[{"answer":{"body":{"text":"0123456789","keep":4}}}]]}`, "200 0123"},
		{"padded", "spaces up to a size", `{"requests":[[{"answer":{"body":{"text":"x","pad":5}}}]]}`, "200 x    "},
		{"huge", "the client has enough", `{"requests":[[{"answer":{"body":{"text":"x","pad":268435456}}}]]}`, "too large"},
		{"endless", "the client has enough", `{"requests":[[{"answer":{"framing":"chunked","body":{"text":"x","endless":true}}}]]}`, "too large"},
		{"gzip", "Go decompresses", `{"requests":[[{"answer":{"body":{"text":"x","gzip":true}}}]]}`, "200 x"},
		{"gzip padded", "several members are one file", `{"requests":[[{"answer":{"body":{"text":"x","pad":5,"gzip":true}}}]]}`, "200 x    "},
		{"gzip bomb", "the client has enough", `{"requests":[[{"answer":{"body":{"text":"x","pad":268435456,"gzip":true}}}]]}`, "too large"},
		{"gzip truncated", "framed well", `{"requests":[[{"answer":{"framing":"chunked","body":{"text":"0123456789","gzip":true},"stop":20}}]]}`, "unexpected EOF"},
		{"gzip in name only", "the bytes are plain", `{"requests":[[{"answer":{"headers":[{"name":"Content-Encoding","value":"gzip"}],"body":{"text":"0123456789"}}}]]}`, "gzip: invalid header"},
		{"repeated", "with separators and numbers", `{"requests":[[{"answer":{"body":{"text":["<",{"repeat":"a{{i}}","times":3,"separator":","},{"repeat":"b","times":3,"separator":";"},">"]}}}]]}`, "200 <a0,a1,a2b;b;b>"},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, mustParse(t, row.script), func(t *testing.T, s *server) {
				patience := 10 * time.Second
				if row.want == "deadline exceeded" {
					patience = 100 * time.Millisecond
				}
				wants(t, ask(t, s, patience).text(), row.want, row.why)
			})
		})
	}
}
