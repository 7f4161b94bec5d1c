// Prints the responses of a form that are new since the last run, each as a line of JSON, oldest first: without gaps or
// duplicates while responses come and go. FORMWIRE_BASE_URL=… FORMWIRE_API_KEY=… go run . FORM
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"
)

// State is the position: the newest instant handled, and the ids handled at that instant.
type State struct {
	Since time.Time
	IDs   map[int64]bool
}

func check(err error) {
	if err != nil {
		log.Fatal(err) // the next run continues from the checkpoint
	}
}

// get returns a page of the list, newest response first. It waits as long as the service asks for.
func get(form string, query url.Values) (page struct {
	Data []json.RawMessage // as received: no number is rounded
	Meta struct{ Total int }
}) {
	target := os.Getenv("FORMWIRE_BASE_URL") + "/api/v1/forms/" + url.PathEscape(form) + "/responses?" + query.Encode()
	request, err := http.NewRequest(http.MethodGet, target, nil)
	check(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("FORMWIRE_API_KEY"))
	response, err := (&http.Client{Timeout: 30 * time.Second}).Do(request)
	check(err)
	defer response.Body.Close()
	if wait, err := time.ParseDuration(response.Header.Get("Retry-After") + "s"); err == nil && response.StatusCode != http.StatusOK {
		time.Sleep(wait)
		return get(form, query)
	} else if response.StatusCode != http.StatusOK {
		log.Fatal(target, ": ", response.Status)
	}
	check(json.NewDecoder(response.Body).Decode(&page))
	return page
}

func main() {
	form, checkpoint, state, responses := os.Args[1], os.Args[1]+".json", State{}, []json.RawMessage{}
	if text, err := os.ReadFile(checkpoint); !os.IsNotExist(err) {
		check(err)
		check(json.Unmarshal(text, &state))
	}
	for number, total, before := 1, 1, 0; len(responses) < total; number++ {
		page := get(form, url.Values{"since": {state.Since.Format(time.RFC3339Nano)}, "page": {fmt.Sprint(number)}, "per_page": {"100"}})
		responses = append(responses, page.Data...)
		// New responses push others to later pages, where they come again. Removed ones pull others to pages already read.
		if before, total = total, page.Meta.Total; total < before {
			number, responses = 0, nil
		}
	}
	for index := len(responses) - 1; index >= 0; index-- {
		var response struct {
			ID          int64
			SubmittedAt time.Time `json:"submitted_at"`
		}
		check(json.Unmarshal(responses[index], &response))
		if response.SubmittedAt.Before(state.Since) || state.IDs[response.ID] {
			continue
		} else if response.SubmittedAt.After(state.Since) {
			state = State{response.SubmittedAt, map[int64]bool{}}
		}
		check(json.NewEncoder(os.Stdout).Encode(responses[index])) // on one line
		state.IDs[response.ID] = true
		saved, _ := json.Marshal(state)
		check(os.WriteFile(checkpoint+".new", saved, 0o600))
		check(os.Rename(checkpoint+".new", checkpoint))
	}
}
