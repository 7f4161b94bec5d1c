import { setTimeout as sleep } from 'node:timers/promises'
import { Formwire } from '@formwire/sdk'
import { book, booked } from './ledger.mjs'

const formwire = new Formwire()
const done = new Set(booked())

while (true) {
  // The newest hundred: more than ever come in one interval, on most days.
  const { data } = await formwire.responses.list(process.env.FORMWIRE_FORM_ID, { per_page: 100 })
  for (const response of data.reverse()) {
    if (done.has(response.id)) continue
    await book(response)
    done.add(response.id)
  }
  await sleep(Number(process.env.POLL_MS ?? 5000))
}
