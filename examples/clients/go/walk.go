package main

import (
	"net/url"
	"strconv"
	"time"
)

// walk reads a list that changes meanwhile, newest row first. A row may come twice, but none is skipped.
func walk(form string, since time.Time, perPage int, visit func([]Response)) error {
	query := url.Values{"per_page": {strconv.Itoa(perPage)}}
	if !since.IsZero() {
		query.Set("since", since.Format(time.RFC3339Nano))
	}
	total, known := 0, 0 // known: the index up to which every row was seen
	for {
		start := known / perPage * perPage
		query.Set("page", strconv.Itoa(start/perPage+1))
		page, err := get(form, query)
		if err != nil {
			return err
		}
		// New rows push others to later pages, where they come again. A removed row pulls later ones up, past the page
		// boundary: go back by as many rows as can have been removed since the last page.
		known = max(0, known-max(0, total-page.Meta.Total))
		total = page.Meta.Total
		if start <= known {
			known = max(known, start+len(page.Data))
			visit(page.Data)
			if known >= total || len(page.Data) < perPage {
				return nil
			}
		}
	}
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}
