// Receives Formwire webhooks with Go's standard library: verifies, stores each response once, responds at once.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Event has what this receiver relies on. Unknown fields are ignored.
type Event struct {
	Event    string
	Form     struct{ ID string }
	Response map[string]json.RawMessage
}

// verify returns the event of a delivery, or false for one to refuse. body is the raw bytes, tolerance is in seconds.
func verify(secrets []string, header http.Header, body []byte, now time.Time, tolerance int64) (event Event, ok bool) {
	get := func(name string) string { return strings.Join(header.Values("X-Service-"+name), ", ") }
	seconds, _ := strconv.ParseInt(get("Timestamp"), 10, 64) // compared as text below: a plus sign or a leading zero is refused
	for given, i := []byte(get("Timestamp")+" "+get("Signature")), 0; i < len(secrets); i++ {
		mac := hmac.New(sha256.New, []byte(secrets[i]))
		fmt.Fprintf(mac, "%d.%s", seconds, body)
		ok = ok || strings.Trim(secrets[i], "\x00 \t\n") != "" && hmac.Equal([]byte(fmt.Sprintf("%d sha256=%x", seconds, mac.Sum(nil))), given)
	}
	if age := now.Unix() - seconds; !ok || age > tolerance || age < -tolerance || strings.Contains(get("Delivery"), ",") {
		return event, false
	}
	json.Unmarshal(body, &event) // leaves empty what does not fit, which a later type of event may contain
	_, err := strconv.ParseInt(string(event.Response["id"]), 10, 64)
	complete := err == nil && event.Form.ID != "" && strings.HasPrefix(string(event.Response["answers"]), "[")
	named := event.Event != "" && (get("Event") == "" || get("Event") == event.Event)
	return event, named && (complete || event.Event != "response.submitted" && event.Event != "test.ping")
}

func main() {
	http.HandleFunc("/webhooks", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 5<<19))
		event, ok := verify(strings.Fields(os.Getenv("FORMWIRE_WEBHOOK_SECRET")), request.Header, body, time.Now(), 300)
		id := sha256.Sum256([]byte(event.Form.ID + "/" + string(event.Response["id"]))) // both are signed; the delivery id is not
		file := filepath.Join(os.Getenv("INBOX"), fmt.Sprintf("%x.json", id))
		temporary := fmt.Sprint(file, rand.Int63()) // of its own: copies may arrive at the same time
		if !ok || err != nil || request.Method != http.MethodPost {
			http.Error(response, "refused", http.StatusBadRequest)
		} else if event.Event == "response.submitted" && (os.WriteFile(temporary, body, 0o600) != nil || os.Rename(temporary, file) != nil) {
			http.Error(response, "not stored", http.StatusInternalServerError)
		}
	})
	log.Fatal((&http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), ReadTimeout: 10 * time.Second}).ListenAndServe())
}
