// Follows the responses of a form: prints each as a line of JSON, oldest first, without gaps or duplicates while rows come
// and go. Standard library only. FORMWIRE_BASE_URL=… FORMWIRE_API_KEY=… go run . FORM
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"
)

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

// save replaces the checkpoint in one step.
func save(file string, state *State) error {
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: FORMWIRE_BASE_URL=… FORMWIRE_API_KEY=… follow FORM")
	}
	perPage, err := strconv.Atoi(setting("PER_PAGE", "100"))
	seconds, err2 := strconv.ParseFloat(setting("INTERVAL", "30"), 64)
	if err != nil || err2 != nil || perPage < 1 {
		log.Fatal("PER_PAGE and INTERVAL must be numbers")
	}
	file, state := setting("CHECKPOINT", "checkpoint.json"), &State{}
	if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, state) != nil {
		log.Fatal(file, " is damaged")
	}
	for {
		err := poll(os.Args[1], state, perPage, func(row Response) error {
			if _, err := fmt.Println(string(row.Raw)); err != nil {
				return err
			}
			return save(file, state)
		})
		if err != nil {
			log.Fatal(err)
		}
		time.Sleep(time.Duration(seconds * float64(time.Second)))
	}
}
