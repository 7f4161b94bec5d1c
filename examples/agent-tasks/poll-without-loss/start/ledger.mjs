import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const FILE = join(process.env.DATA ?? '.', 'ledger.txt')
const BOOK_MS = Number(process.env.BOOK_MS ?? 20)

/** Books a response. Takes a while; a kill meanwhile leaves it booked or not, and never halfway. */
export async function book({ id }) {
  await sleep(BOOK_MS / 2)
  appendFileSync(FILE, `${id}\n`)
  await sleep(BOOK_MS / 2)
}

/** Returns the ids of all responses that were booked. */
export function booked() {
  return existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n').filter(Boolean).map(Number) : []
}
