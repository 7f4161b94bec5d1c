import { setTimeout as sleep } from 'node:timers/promises'
import { Formwire } from '@formwire/sdk'
import { book } from './ledger.mjs'

const formwire = new Formwire()
const form = process.env.FORMWIRE_FORM_ID
let since = new Date(0).toISOString()

while (true) {
  const { data } = await formwire.responses.list(form, { since })
  for (const response of data.reverse()) {
    await book(response)
    since = response.submitted_at
  }
  await sleep(Number(process.env.POLL_MS ?? 5000))
}
