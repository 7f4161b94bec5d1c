package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// Refused is the code of the first check that failed.
type Refused string

func (code Refused) Error() string { return string(code) }

var wellFormed = regexp.MustCompile(`^sha256=[0-9a-f]{64} (0|[1-9][0-9]{0,12})$`)

// Verify returns the event of a delivery. body is the raw bytes.
func Verify(secrets []string, header http.Header, body []byte, now time.Time, tolerance int64) (*Event, error) {
	signature, timestamp := header.Values("X-Service-Signature"), header.Values("X-Service-Timestamp")
	names, deliveries := header.Values("X-Service-Event"), header.Values("X-Service-Delivery")
	if len(signature) == 0 || len(timestamp) == 0 {
		return nil, Refused("missing_header")
	} else if len(signature)+len(timestamp) > 2 || len(names) > 1 || len(deliveries) > 1 {
		return nil, Refused("malformed_header")
	} else if !wellFormed.MatchString(signature[0] + " " + timestamp[0]) {
		return nil, Refused("malformed_header")
	}
	seconds, _ := strconv.ParseInt(timestamp[0], 10, 64)
	if age := now.Unix() - seconds; age > tolerance {
		return nil, Refused("timestamp_too_old")
	} else if age < -tolerance {
		return nil, Refused("timestamp_in_future")
	}
	matched := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(append([]byte(timestamp[0]+"."), body...))
		matched = matched || hmac.Equal([]byte(fmt.Sprintf("sha256=%x", mac.Sum(nil))), []byte(signature[0]))
	}
	if !matched {
		return nil, Refused("no_match")
	}
	return parse(body, names)
}
