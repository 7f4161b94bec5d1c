package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// store keeps the body under what is signed: form and response id. A worker of yours reads the folder: long work happens there.
func store(inbox string, event *Event, body []byte) error {
	key := sha256.Sum256([]byte(*event.Form.ID + fmt.Sprint("/", *event.Response.ID)))
	temporary, err := os.CreateTemp(inbox, "new")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(body)
	if closed := temporary.Close(); err != nil || closed != nil {
		return errors.New("the inbox cannot be written")
	}
	// Linking is atomic and fails if the file exists, so that copies that arrive at the same time are stored once.
	err = os.Link(temporary.Name(), filepath.Join(inbox, fmt.Sprintf("%x.json", key)))
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}
