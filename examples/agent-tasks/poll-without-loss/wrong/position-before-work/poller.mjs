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
  // A kill while these are booked skips the rest.
  since = rows[0]?.submitted_at ?? since
  writeFileSync(file, since)
  for (const response of rows.reverse()) {
    if (!done.has(response.id)) await book(response)
    done.add(response.id)
  }
  await sleep(Number(process.env.POLL_MS ?? 5000))
}
