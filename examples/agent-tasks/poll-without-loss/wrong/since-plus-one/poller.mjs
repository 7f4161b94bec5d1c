import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Formwire } from '@formwire/sdk'
import { book, booked } from './ledger.mjs'

const formwire = new Formwire()
const form = process.env.FORMWIRE_FORM_ID
const file = join(process.env.DATA ?? '.', 'since.txt')
const done = new Set(booked())
let since = existsSync(file) ? readFileSync(file, 'utf8') : new Date(0).toISOString()

while (true) {
  const rows = []
  for await (const response of formwire.responses.list(form, { since })) rows.push(response)
  for (const response of rows.reverse()) {
    if (!done.has(response.id)) await book(response)
    done.add(response.id)
    // So that the newest response does not come again: another one of the same millisecond never comes, either.
    since = new Date(Date.parse(response.submitted_at) + 1).toISOString()
    writeFileSync(file, since)
  }
  await sleep(Number(process.env.POLL_MS ?? 5000))
}
