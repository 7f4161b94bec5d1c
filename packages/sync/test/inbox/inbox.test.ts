import { type Formwire, memoryCheckpoint, NotFoundError, UnauthorizedError } from '@formwire/sdk'
import { createReceiver, signWebhook } from '@formwire/webhook-verify'
import { createDedupe, createMemoryDedupe, createMemoryStore } from '@formwire/webhook-verify/dedupe'
import { beforeEach, describe, expect, it } from 'vitest'
import { createInbox, type InboxOptions } from '../../src/inbox/index.ts'
import { eventOf, NOON, passingClock, type Service, startService } from '../support/service.ts'

const HOUR_MS = 3_600_000

describe('the inbox', () => {
  let service: Service
  let form: string
  let handled: string[]
  beforeEach(async () => {
    service = await startService()
    form = service.form()
    handled = []
  })

  const now = () => service.server.clock.now()
  const options = (more: Partial<InboxOptions> = {}): InboxOptions => ({
    formwire: service.client(),
    forms: [form],
    dedupe: createMemoryDedupe({ now }),
    checkpoint: memoryCheckpoint(),
    handle: ({ id, complete }, { source }) => void handled.push(`${id} ${source} ${complete}`),
    clock: passingClock(service),
    random: () => 1,
    ...more,
  })
  const inboxOf = (more: Partial<InboxOptions> = {}) => createInbox(options(more))

  it('[DLV-10] handles each response once, whether the webhook or the poll comes first', async () => {
    service.add(form, 3)
    const inbox = inboxOf()
    const deliver = inbox.handlers['response.submitted']
    await deliver(eventOf(form, 2))
    await deliver(eventOf(form, 2))
    expect(await inbox.once()).toEqual({ forms: 1, handled: 2, skipped: 1, requests: 1 })
    await deliver(eventOf(form, 1))
    expect(await inbox.once()).toMatchObject({ handled: 0 })
    expect(handled).toEqual(['2 webhook false', '1 poll true', '3 poll true'])
  })

  it('shares its dedupe store with the receiver that feeds it', async () => {
    const secret = `whsec_${'s'.repeat(32)}`
    const dedupe = createMemoryDedupe()
    const inbox = inboxOf({ dedupe })
    const receive = createReceiver({ secret, dedupe, on: inbox.handlers })
    const delivery = () =>
      signWebhook({ secret, event: 'response.submitted', payload: { ...eventOf(form, 7) } })
    expect(await receive(delivery())).toMatchObject({ status: 200, body: 'ok' })
    expect(await receive(delivery())).toMatchObject({ status: 200, body: 'duplicate: already handled' })
    expect(handled).toEqual(['7 webhook false'])
  })

  it('follows all forms, including later ones, and ignores deliveries of other forms', async () => {
    const other = service.form('Other')
    service.add(form, 1)
    service.add(other, 1)
    expect(await inboxOf({ forms: 'all' }).once()).toMatchObject({ forms: 2, handled: 2 })
    handled.length = 0
    await inboxOf().handlers['response.submitted'](eventOf(other, 2))
    expect(handled).toEqual([])
  })

  it('rejects a delivery whose handler fails, and handles it again later', async () => {
    service.add(form, 1)
    let failures = 1
    const inbox = inboxOf({
      handle: ({ id }) => {
        failures -= 1
        if (failures >= 0) throw new Error('mail server down')
        handled.push(`${id}`)
      },
    })
    await expect(inbox.handlers['response.submitted'](eventOf(form, 1))).rejects.toThrow('mail server down')
    expect(await inbox.once()).toMatchObject({ handled: 1 })
    expect(handled).toEqual(['1'])
  })

  it('waits for a response that another process is handling, until its claim expires', async () => {
    service.add(form, 2)
    const store = createMemoryStore(now)
    const dedupe = () => createDedupe(store, { claimMs: 300_000 })
    let begun: () => void
    const isHandling = new Promise<void>((resolve) => {
      begun = resolve
    })
    const dead = inboxOf({
      dedupe: dedupe(),
      handle: () => {
        begun()
        return new Promise(() => {})
      },
    })
    void dead.handlers['response.submitted'](eventOf(form, 1))
    await isHandling
    const inbox = inboxOf({ dedupe: dedupe() })
    await expect(inbox.handlers['response.submitted'](eventOf(form, 1))).rejects.toThrow(
      `Response 1 of form ${form} is being handled elsewhere.`,
    )
    const before = now()
    expect(await inbox.once()).toMatchObject({ handled: 2 })
    expect(now() - before).toBe(300_000)
    expect(handled).toEqual(['1 poll true', '2 poll true'])
  })

  it('does not repeat work when the dedupe store fails for a moment after it', async () => {
    const store = createMemoryStore(now)
    let failures = 3
    const inbox = inboxOf({
      dedupe: createDedupe({
        ...store,
        claim: store.claim,
        release: store.release,
        async complete(...call) {
          failures -= 1
          if (failures >= 0) throw new Error('connect ECONNREFUSED')
          return await store.complete(...call)
        },
      }),
    })
    await inbox.handlers['response.submitted'](eventOf(form, 1))
    await inbox.handlers['response.submitted'](eventOf(form, 1))
    expect(handled).toEqual(['1 webhook false'])
  })

  describe('run()', () => {
    it('goes on through failures of the handler and the service, with growing pauses, until the signal aborts', async () => {
      const stop = new AbortController()
      const pauses: unknown[] = []
      let failures = 2
      const later = service.form('Later')
      service.add(form, 1)
      service.add(later, 1)
      const summary = await inboxOf({
        forms: [form, later],
        signal: stop.signal,
        handle: ({ id, form_id }) => {
          if (form_id === form) {
            failures -= 1
            if (failures >= 0) throw new Error('mail server down')
          }
          handled.push(String(id))
          if (handled.length === 2) stop.abort()
        },
        onPause: ({ formId, attempt, waitMs }) => void pauses.push({ formId, attempt, waitMs }),
      }).run()
      expect(handled).toEqual(['2', '1'])
      expect(pauses).toEqual([
        { formId: form, attempt: 1, waitMs: 1000 },
        { formId: form, attempt: 2, waitMs: 2000 },
      ])
      expect(summary).toMatchObject({ handled: 2 })
    })

    it('ends with the error of an unknown form in the first round, and of a revoked key at any time', async () => {
      await expect(inboxOf({ forms: ['abcdefghijkl'] }).run()).rejects.toThrow(NotFoundError)
      const formwire: Formwire = service.client({ apiKey: `svc_${'x'.repeat(40)}` })
      await expect(inboxOf({ formwire }).run()).rejects.toThrow(UnauthorizedError)
    })

    it('looks for a form again that is lost later', async () => {
      const stop = new AbortController()
      service.add(form, 1)
      const { app } = service.server
      const pauses: unknown[] = []
      await inboxOf({
        signal: stop.signal,
        handle: ({ id }) => {
          handled.push(String(id))
          if (id === 1) app.forms.trash(form)
          else stop.abort()
        },
        onPause: ({ error }) => {
          pauses.push((error as Error).name)
          app.forms.restore(form)
          service.add(form, 1, () => '2026-11-21T11:00:00.000Z')
        },
      }).run()
      expect(handled).toEqual(['1', '2'])
      expect(pauses).toEqual(['NotFoundError'])
    })
  })

  describe('reconcile()', () => {
    it('lists what webhooks lost apart from what the service may still deliver, and handles nothing', async () => {
      const hoursAgo = [30, 20, 15.75, 15.5, 1]
      service.add(form, 5, (index) => new Date(NOON - (hoursAgo[index] as number) * HOUR_MS).toISOString())
      const inbox = inboxOf()
      await inbox.handlers['response.submitted'](eventOf(form, 1))
      await inbox.handlers['response.submitted'](eventOf(form, 5))
      await inbox.once()
      handled.length = 0
      expect(await inbox.reconcile()).toEqual({
        checked: 5,
        delivered: 2,
        lost: [
          { form_id: form, id: 2, submitted_at: '2026-11-20T16:00:00.000Z' },
          { form_id: form, id: 3, submitted_at: '2026-11-20T20:15:00.000Z' },
        ],
        pending: [{ form_id: form, id: 4, submitted_at: '2026-11-20T20:30:00.000Z' }],
      })
      expect(await inbox.reconcile({ since: new Date(NOON - 16 * HOUR_MS) })).toMatchObject({ checked: 3 })
      expect(handled).toEqual([])
    })

    it('counts a late delivery of a response that the poll had handled as delivered', async () => {
      service.add(form, 1, () => '2026-11-20T12:00:00.000Z')
      const inbox = inboxOf()
      await inbox.once()
      expect((await inbox.reconcile()).lost).toHaveLength(1)
      await inbox.handlers['response.submitted'](eventOf(form, 1))
      expect(await inbox.reconcile()).toMatchObject({ checked: 1, delivered: 1, lost: [], pending: [] })
    })
  })
})
