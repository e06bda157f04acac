// The webhooks for images, as they run in a cluster.
package main

import (
	"flag"
	"net/http"
	"time"

	"github.com/sirupsen/logrus"
	kwhlogrus "github.com/slok/kubewebhook/v2/pkg/log/logrus"

	"example.com/images/internal/webhook"
)

func main() {
	address := flag.String("address", ":8443", "where to listen")
	certificate := flag.String("tls-cert-file", "/etc/webhooks/tls.crt", "file with the certificate")
	key := flag.String("tls-key-file", "/etc/webhooks/tls.key", "file with its key")
	flag.Parse()

	logger := kwhlogrus.NewLogrus(logrus.NewEntry(logrus.New()))
	handler, err := webhook.Handler(logger)
	if err != nil {
		logrus.Fatal(err)
	}
	server := &http.Server{Addr: *address, Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	logrus.Fatal(server.ListenAndServeTLS(*certificate, *key))
}
