import { join } from 'node:path'
import { Formwire } from '@formwire/sdk'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { book, booked } from './ledger.mjs'

// The checkpoint moves past a response once it is booked. A kill in between gives the response again: the ledger knows it.
const done = new Set(booked())

const responses = new Formwire().responses.poll(process.env.FORMWIRE_FORM_ID, {
  checkpoint: fileCheckpoint(join(process.env.DATA ?? '.', 'checkpoints')),
  intervalMs: Number(process.env.POLL_MS ?? 5000),
})
for await (const response of responses) {
  if (!done.has(response.id)) await book(response)
  done.add(response.id)
}
