import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import { eventually, sameMembers, unmet } from '../workbench.mjs'

export const criteria = {
  'posts-all': 'posts each of a few responses once',
  'two-workers': 'posts each response once with two workers side by side',
  'survives-kills': 'loses and repeats nothing when a worker is killed in the middle of the work',
  'survives-all':
    'loses and repeats nothing with the receiver, two workers, kills, and deliveries that are repeated and late',
}

const SCHEMA = `
  CREATE TABLE queue (response INTEGER PRIMARY KEY, body TEXT, state TEXT DEFAULT 'new');
  CREATE TABLE ledger (response INTEGER, receipt TEXT)`
const WORKER = ['python3', 'worker.py']
/** Milliseconds in which a response that a killed worker had taken must be posted. */
const TAKEN_OVER_MS = 10_000
/** Milliseconds in which a worker that waits for the database may still post a response again. */
const SETTLE_MS = 800
/** The receiver with two workers, which are stopped with it. */
const ALL = ['sh', '-c', 'python3 worker.py & python3 worker.py & exec python3 receiver.py']
const LEDGER =
  "python3 -c \"import sqlite3; [print(row[0]) for row in sqlite3.connect('queue.db').execute('SELECT response FROM ledger')]\""

export async function grader(bench, { must, check, last }) {
  await must('posts-all', () =>
    withQueue(bench, async ({ start, put, posted }) => {
      start()
      put(1, 3)
      await posted(3)
    }),
  )
  await check('two-workers', () =>
    withQueue(bench, async ({ start, put, posted }) => {
      start()
      start()
      // The second time, both are waiting for something to do.
      put(1, 15)
      await posted(15)
      put(16, 30)
      await posted(30)
    }),
  )
  await check('survives-kills', () =>
    withQueue(bench, async ({ start, put, posted }) => {
      put(1, 5)
      for (const killedAt of ['2', '4']) {
        const { child, ended } = start({ KILLED_AT: killedAt })
        await ended
        if (child.signalCode !== 'SIGKILL') unmet(`the worker ended before it posted response ${killedAt}`)
      }
      start()
      await posted(5)
    }),
  )
  const kinds = ['duplicate', 'delay', 'replay', 'fail-after', 'kill', 'burst'].join(',')
  await last('survives-all', () =>
    bench.rehearse(ALL, {
      webhook: '/webhooks',
      handled: LEDGER,
      only: kinds,
      runs: 2,
      responses: 10,
      seed: 5,
    }),
  )
}

/** Opens a queue of its own: `start` starts a worker, `put` puts responses into it, and `posted` waits until the ledger has all up to an id, once each. */
async function withQueue(bench, work) {
  const data = bench.createFolder()
  const database = new Database(join(data, 'queue.db'))
  database.exec(`PRAGMA busy_timeout = 20000; ${SCHEMA}`)
  const insert = database.prepare('INSERT INTO queue (response, body) VALUES (?, ?)')
  const ledger = database.prepare('SELECT response FROM ledger')
  const ids = () => ledger.all().map((row) => row.response)
  const workers = []
  try {
    await work({
      start(env) {
        const worker = bench.spawn(WORKER, { DATA: data, ...env })
        workers.push(worker)
        return worker
      },
      put(first, lastId) {
        for (let id = first; id <= lastId; id += 1) insert.run(id, '{}')
      },
      async posted(count) {
        const isComplete = () => new Set(ids()).size >= count
        await eventually(() => '', isComplete, TAKEN_OVER_MS).catch(() => undefined)
        await sleep(SETTLE_MS)
        const expected = Array.from({ length: count }, (_, index) => index + 1)
        sameMembers('table ledger', ids(), expected)
      },
    })
  } finally {
    for (const worker of workers) await worker.stop()
    database.close()
  }
}
