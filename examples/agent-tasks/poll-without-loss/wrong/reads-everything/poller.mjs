import { setTimeout as sleep } from 'node:timers/promises'
import { Formwire } from '@formwire/sdk'
import { book, booked } from './ledger.mjs'

const formwire = new Formwire()
const done = new Set(booked())

while (true) {
  const rows = []
  // Complete, and more requests in every round, until the rate limit ends it.
  for await (const response of formwire.responses.list(process.env.FORMWIRE_FORM_ID, { per_page: 100 })) {
    rows.push(response)
  }
  for (const response of rows.reverse()) {
    if (done.has(response.id)) continue
    await book(response)
    done.add(response.id)
  }
  await sleep(Number(process.env.POLL_MS ?? 5000))
}
