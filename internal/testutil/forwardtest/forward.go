package forwardtest

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"

	"github.com/gorilla/websocket"
	corev1 "k8s.io/api/core/v1"
	constants "k8s.io/apimachinery/pkg/util/portforward"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"
)

// forward serves a port-forward until its connection ends.
func (s *Server) forward(w http.ResponseWriter, r *http.Request) {
	if s.Hold != nil {
		<-s.Hold
	}
	f := &forwarded{server: s, reasons: map[string]httpstream.Stream{}}
	var connection httpstream.Connection
	switch {
	case websocket.IsWebSocketUpgrade(r) && !s.WebSocket:
		http.Error(w, "no WebSocket", http.StatusBadRequest)
	case websocket.IsWebSocketUpgrade(r):
		connection = f.webSocket(w, r)
	default:
		if _, err := httpstream.Handshake(r, w, []string{constants.PortForwardV1Name}); err == nil {
			connection = spdy.NewResponseUpgrader().UpgradeResponse(w, r, f.accept)
		}
	}
	if connection != nil {
		<-connection.CloseChan()
	}
}

// forwarded is a port-forward.
type forwarded struct {
	server *Server

	mu sync.Mutex // guards reasons
	// reasons are the streams for errors, by request.
	reasons map[string]httpstream.Stream
}

// webSocket returns a connection by WebSocket; nil if there is none.
func (f *forwarded) webSocket(w http.ResponseWriter, r *http.Request) httpstream.Connection {
	upgrader := websocket.Upgrader{
		Subprotocols: []string{constants.WebsocketsSPDYTunnelingPortForwardV1},
	}
	accepted, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return nil // the client has an answer
	}
	tunnel := portforward.NewTunnelingConnection("server", accepted)
	connection, err := spdy.NewServerConnection(tunnel, f.accept)
	if err != nil {
		return nil
	}
	return connection
}

// accept accepts a stream; that of the data is the second of each request.
func (f *forwarded) accept(stream httpstream.Stream, replied <-chan struct{}) error {
	request := stream.Headers().Get(corev1.PortForwardRequestIDHeader)
	f.mu.Lock()
	defer f.mu.Unlock()
	if stream.Headers().Get(corev1.StreamType) == corev1.StreamTypeError {
		f.reasons[request] = stream
		return nil
	}
	reason := f.reasons[request]
	go func() {
		<-replied
		f.copy(stream, reason)
	}()
	return nil
}

// copy connects a stream with the backend. If there is none it leaves the stream open. A stream
// that is not read to its end would block others.
func (f *forwarded) copy(data, reason httpstream.Stream) {
	defer func() { _, _ = io.Copy(io.Discard, data) }()
	defer reason.Close()
	const refused = "connection refused\n in the pod"
	if f.server.Closed || data.Headers().Get(corev1.PortHeader) != strconv.Itoa(podPort) {
		_, _ = io.WriteString(reason, refused)
		return
	}
	backend, err := net.Dial("tcp", f.server.Backend)
	if err != nil {
		_, _ = io.WriteString(reason, refused)
		return
	}
	defer data.Close()
	defer backend.Close()
	go func() {
		_, _ = io.Copy(backend, data)
		_, _ = io.Copy(io.Discard, data)
		_ = backend.Close()
	}()
	_, _ = io.Copy(data, backend)
}
