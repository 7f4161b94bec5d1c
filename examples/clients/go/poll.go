package main

import (
	"sort"
	"time"
)

// State is the position of a poll: the newest instant handled, and the ids handled at that instant.
type State struct {
	Since time.Time
	IDs   map[int64]bool
}

// poll handles every response since the state, oldest first. The state moves past a response once it is handled.
func poll(form string, state *State, perPage int, handle func(Response) error) error {
	seen, rows := map[int64]bool{}, []Response{}
	var newest time.Time
	err := walk(form, state.Since, perPage, func(page []Response) {
		for _, row := range page {
			if newest.IsZero() {
				newest = row.SubmittedAt
			}
			// Between rows that arrived during the walk others may be missing: they belong to the next poll.
			if !row.SubmittedAt.After(newest) && !seen[row.ID] && !state.IDs[row.ID] {
				seen[row.ID] = true
				rows = append(rows, row)
			}
		}
	})
	if err != nil {
		return err
	}
	sort.Slice(rows, func(i, j int) bool {
		a, b := rows[i], rows[j]
		return a.SubmittedAt.Before(b.SubmittedAt) || (a.SubmittedAt.Equal(b.SubmittedAt) && a.ID < b.ID)
	})
	for _, row := range rows {
		if !row.SubmittedAt.Equal(state.Since) {
			state.Since, state.IDs = row.SubmittedAt, map[int64]bool{}
		}
		state.IDs[row.ID] = true
		if err := handle(row); err != nil {
			return err
		}
	}
	return nil
}
