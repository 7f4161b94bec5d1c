// Receives Formwire webhooks with Go's standard library: verifies, stores each response once, responds at once.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const maxBody = 1_048_576

// receiver handles the deliveries of one endpoint.
type receiver struct {
	secrets []string
	inbox   string
}

func (r receiver) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBody))
	if request.Method != http.MethodPost {
		http.Error(response, "", http.StatusMethodNotAllowed)
	} else if err != nil {
		http.Error(response, "", http.StatusRequestEntityTooLarge)
	} else if event, err := Verify(r.secrets, request.Header, body, time.Now(), 300); err == Refused("no_match") {
		http.Error(response, err.Error(), http.StatusUnauthorized)
	} else if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
	} else if *event.Event == "response.submitted" && store(r.inbox, event, body) != nil {
		http.Error(response, "", http.StatusInternalServerError)
	}
}

func main() {
	inbox, port := os.Getenv("INBOX"), os.Getenv("PORT")
	if inbox == "" || port == "" {
		log.Fatal("set INBOX to a folder and PORT to a port (0: any)")
	}
	http.Handle("/webhooks", receiver{strings.Fields(os.Getenv("FORMWIRE_WEBHOOK_SECRET")), inbox})
	http.HandleFunc("/handled", func(response http.ResponseWriter, _ *http.Request) {
		files, _ := filepath.Glob(filepath.Join(inbox, "*.json"))
		fmt.Fprint(response, len(files))
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s/webhooks\n", listener.Addr())
	log.Fatal((&http.Server{ReadTimeout: 10 * time.Second}).Serve(listener))
}
