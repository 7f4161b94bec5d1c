import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventResponse } from '@formwire/contract'
import { signWebhook } from '@formwire/webhook-verify'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { bundled } from '../../../test/support/bundled.ts'
import { type Spawned, start as startNode } from '../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { createSync, type SqlRow } from '../src/index.ts'
import { sqliteStore } from '../src/sqlite/index.ts'
import { toOutbox } from './process/outbox.ts'
import { seeded } from './support/random.ts'
import { NOON, startService } from './support/service.ts'
import { expectForms, expectOutbox, expectResponses } from './support/truth.ts'

const kills = Number(process.env.FORMWIRE_KILLS ?? 8)

let program = ''
beforeAll(async () => {
  program = await bundled(new URL('process/sync-worker.ts', import.meta.url))
})

const SECRET = `whsec_${'k'.repeat(32)}`

/**
 * Two processes follow all forms while some are created, trashed and restored, and receive webhooks, some of which are lost, doubled,
 * late or out of order. Kills one after the other, then compares the tables and the outbox with the service.
 */
it(`[DLV-10, POLL-02] loses and repeats nothing of all forms in SQLite in ${kills} kills of one of two processes with SIGKILL at random requests`, {
  timeout: 3_600_000,
}, async () => {
  const path = join(temporaryDirectory(), 'test.db')
  const service = await startService()
  const { app, writeKey } = service.server
  const { url } = await service.server.listen({ port: 0 })
  const forms = [service.form()]
  const trashed: string[] = []
  service.add(forms[0] as string, 30)
  const other = sqliteStore(path)
  const query = (sql: string): Promise<SqlRow[]> => other.transaction('', (session) => session.query(sql))
  onTestFinished(() => other.close())
  await query('CREATE TABLE outbox (form_id TEXT NOT NULL, id INTEGER NOT NULL)')
  const random = seeded(7)

  const events: { form: string; response: EventResponse }[] = []
  const submit = (form: string): void => {
    const value = random(11)
    const { id } = app.responses.create(form, { answers: [{ question_id: 'nps', value }] })
    const answer = { question_id: 'nps', title: 'Score', type: 'nps', value, text: String(value) } as const
    const submitted_at = new Date(NOON).toISOString()
    events.push({
      form,
      response: { id, submitted_at, answers: [answer], score: null, max_score: null, meta: {} },
    })
  }
  const delivering: Promise<unknown>[] = []
  let acknowledged = 0
  const deliver = (port: number): void => {
    const event = events[random(events.length)]
    if (!event) return
    const payload = { form: { id: event.form, title: 'Survey' }, response: event.response }
    const { headers, body } = signWebhook({ secret: SECRET, event: 'response.submitted', payload })
    const sent = fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body }).then(({ ok }) => {
      if (ok) acknowledged += 1
    })
    // Nothing repeats a delivery that is lost because its receiver died.
    delivering.push(sent.catch(() => undefined))
  }
  /** Changes the service, or delivers one of its responses to some process. */
  const change = (): void => {
    const what = random(4) === 0 ? 'forms' : random(6)
    const form = forms[random(forms.length)] as string
    const ids = service.submitted(form)
    const port = ports.get(running[random(running.length)] as Spawned)
    if (what === 'forms') changeForms()
    else if (what < 3 && port !== undefined) deliver(port)
    else if (what === 3 && ids.length > 10) app.responses.delete(form, ids[random(ids.length)] as number)
    else submit(form)
  }
  /** Creates, trashes or restores a form. Some stay idle. */
  const changeForms = (): void => {
    const what = random(3)
    const [restored] = what === 0 ? trashed.splice(0, 1) : []
    if (restored !== undefined) {
      app.forms.restore(restored)
      forms.push(restored)
    } else if (what === 1 && forms.length > 2) {
      const [id] = forms.splice(random(forms.length), 1) as [string]
      app.forms.trash(id)
      trashed.push(id)
    } else if (forms.length < 8) {
      const id = service.form(`Form ${forms.length}`)
      forms.push(id)
      if (random(2) === 0) service.add(id, 1 + random(12))
    }
  }

  const running: Spawned[] = []
  const ports = new Map<Spawned, number>()
  const start = (): void => {
    const worker = startNode([program, url, writeKey, SECRET, path], process.env)
    worker.child.stdout.once('data', (chunk) => ports.set(worker, Number(chunk)))
    running.push(worker)
  }
  start()
  for (let kill = 0; kill < kills; kill += 1) {
    start()
    app.requests.clear()
    const until = 1 + random(40)
    const areWell = (): boolean => running.every(({ child }) => child.exitCode === null)
    while (app.requests.list().length < until && areWell()) {
      await sleep(1)
      if (random(4) === 0) change()
    }
    const [victim] = running.splice(random(2), 1) as [Spawned]
    expect(victim.stderr).toBe('')
    victim.child.kill('SIGKILL')
    await victim.finished
  }
  for (const worker of running) {
    worker.child.kill('SIGKILL')
    await worker.finished
    expect(worker.stderr).toBe('')
  }
  await Promise.all(delivering)
  expect(acknowledged).toBeGreaterThan(0)

  const store = sqliteStore(path)
  await createSync({
    formwire: service.client(),
    store,
    forms: 'all',
    per_page: 5,
    onResponse: toOutbox,
  }).once()
  const truth = { server: service.server, query, forms, trashed }
  await expectResponses(truth)
  await expectForms(truth)
  await expectOutbox(query)
  await store.close()
  await service.server.close()
  expect(await query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
})
