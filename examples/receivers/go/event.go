package main

import "encoding/json"

// Event has the fields of a delivery that this receiver relies on. Unknown fields are ignored.
type Event struct {
	Event    *string
	Form     struct{ ID *string }
	Response struct {
		ID      *int64
		Answers *[]json.RawMessage
	}
}

// parse returns the event of a verified body. names are the values of X-Service-Event, which is not signed.
func parse(body []byte, names []string) (*Event, error) {
	var head struct{ Event *string }
	if !json.Valid(body) {
		return nil, Refused("invalid_json")
	} else if json.Unmarshal(body, &head) != nil || head.Event == nil {
		return nil, Refused("unexpected_payload")
	} else if len(names) > 0 && names[0] != *head.Event {
		return nil, Refused("event_mismatch")
	} else if *head.Event != "response.submitted" && *head.Event != "test.ping" {
		return &Event{Event: head.Event}, nil
	}
	var event Event
	if json.Unmarshal(body, &event) != nil || event.Form.ID == nil || event.Response.ID == nil || event.Response.Answers == nil {
		return nil, Refused("unexpected_payload")
	}
	return &event, nil
}
