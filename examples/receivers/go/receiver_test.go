package main

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"
)

type vector struct {
	Name      string
	Secrets   []string
	Headers   map[string]any
	Body      []byte `json:"body_base64"`
	Now       int64
	Tolerance int64 `json:"tolerance_seconds"`
	Expect    struct {
		Ok         bool
		Type, Code string
	}
}

func headerOf(values map[string]any) http.Header {
	header := http.Header{}
	for name, value := range values {
		if several, ok := value.([]any); ok {
			for _, each := range several {
				header.Add(name, each.(string))
			}
		} else {
			header.Add(name, value.(string))
		}
	}
	return header
}

// TestVectors checks verify against the file named by VECTORS: the vectors/webhooks.json of @formwire/contract.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("VECTORS"))
	var file struct{ Vectors []vector }
	if err != nil || json.Unmarshal(text, &file) != nil || len(file.Vectors) == 0 {
		t.Fatal("cannot read the vectors", err)
	}
	for _, v := range file.Vectors {
		t.Run(v.Name, func(t *testing.T) {
			event, ok := verify(v.Secrets, headerOf(v.Headers), v.Body, time.Unix(v.Now, 0), v.Tolerance)
			if ok != v.Expect.Ok || ok && event.Event != v.Expect.Type {
				t.Errorf("expected %+v, got %v %q", v.Expect, ok, event.Event)
			}
		})
	}
}
