package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"
)

const attempts = 8

// Response has the fields that the walk needs, and the whole JSON.
type Response struct {
	ID          int64     `json:"id"`
	SubmittedAt time.Time `json:"submitted_at"`
	Raw         json.RawMessage
}

// UnmarshalJSON keeps the whole JSON beside the fields.
func (r *Response) UnmarshalJSON(text []byte) error {
	type fields Response
	r.Raw = append([]byte(nil), text...)
	return json.Unmarshal(text, (*fields)(r))
}

// Page is one page of a list.
type Page struct {
	Data []Response
	Meta struct{ Total int }
}

var client = http.Client{Timeout: 30 * time.Second}

// get fetches one page of responses. It waits as long as a 429 asks for, and retries what can succeed later.
func get(form string, query url.Values) (page Page, err error) {
	target := os.Getenv("FORMWIRE_BASE_URL") + "/api/v1/forms/" + url.PathEscape(form) + "/responses?" + query.Encode()
	for attempt := 1; attempt <= attempts; attempt++ {
		wait := time.Duration(1<<attempt) * 100 * time.Millisecond
		request, invalid := http.NewRequest(http.MethodGet, target, nil)
		if invalid != nil {
			return page, invalid
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("FORMWIRE_API_KEY"))
		var response *http.Response
		if response, err = client.Do(request); err == nil {
			if response.StatusCode == http.StatusOK {
				err = json.NewDecoder(response.Body).Decode(&page)
				response.Body.Close()
				return page, err
			}
			response.Body.Close()
			err = fmt.Errorf("GET responses: %s", response.Status)
			if response.StatusCode != http.StatusTooManyRequests && response.StatusCode < 500 {
				return page, err
			}
			if seconds, invalid := strconv.Atoi(response.Header.Get("Retry-After")); invalid == nil {
				wait = time.Duration(seconds) * time.Second
			}
		}
		if attempt < attempts {
			time.Sleep(wait)
		}
	}
	return page, err
}
