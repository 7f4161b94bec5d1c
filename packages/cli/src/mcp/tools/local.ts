import { stat } from 'node:fs/promises'
import { LIMITS } from '@formwire/contract'
import type {
  ClockState,
  Delivery,
  FaultInForce,
  JournalEntry,
  Receiver,
  ReceiverDelivery,
} from '@formwire/contract/control'
import type { ReferenceServerOptions, Seed } from '@formwire/reference-server'
import * as z from 'zod'
import { Failure } from '../../failure.ts'
import { readJsonInput } from '../../input/read-input.ts'
import { invalidArgument, missingEndpoint, toolFailure } from '../failures.ts'
import type { LocalServer } from '../local-server.ts'
import { pageOf } from '../result.ts'
import type { Session } from '../session.ts'
import { defineTool, PAGING, READ_ONLY } from '../tool.ts'
import { markStrangers, untrusted } from '../untrusted.ts'

/** Largest seed that is read, in bytes. */
const SEED_MAX_BYTES = 64 * 1_048_576

const INPUT = z.strictObject({
  action: z.enum(['start', 'reset', 'stop', 'status']),
  seed: z.string().max(1000).optional().describe('empty (default), demo, or a seed FILE.json'),
  clock: z.enum(['manual', 'real']).optional().describe('manual (default) moves only by the tool clock'),
  now: z.string().max(40).optional().describe('start of a manual clock, ISO 8601'),
  unspecified: z
    .record(z.string().max(60), z.string().max(60))
    .optional()
    .describe('choices where the service document is silent; see docs'),
})

export const server = defineTool({
  name: 'server',
  group: 'local',
  description:
    'Start, reset, stop or describe the local forms service. start returns its URL and keys, for the program under test. reset restores the seed.',
  input: INPUT,
  takenBy: { seed: ['start'], clock: ['start'], now: ['start'], unspecified: ['start'] },
  async run(session, given) {
    const { local } = session
    switch (given.action) {
      case 'start':
        return await local.start(await serverOptions(session, given))
      case 'stop':
        return { stopped: await local.stop() }
      case 'reset':
        await local.call('POST', '/reset')
        local.secrets.clear()
        return await local.info()
      case 'status':
        return local.isRunning ? await local.info() : { running: false }
    }
  },
})

async function serverOptions(
  { context }: Session,
  { seed = 'empty', clock = 'manual', now, unspecified }: z.output<typeof INPUT>,
): Promise<ReferenceServerOptions> {
  return {
    // What is in a seed must not leave this machine.
    addressRules: 'loopback',
    clock,
    seed: seed === 'empty' || seed === 'demo' ? seed : await seedFrom(seed),
    now,
    unspecified: unspecified as never,
    report: (cause) => context.output.announce('server_error', String(cause)),
  }

  async function seedFrom(path: string): Promise<Seed> {
    // Never stdin: it belongs to the client.
    if (path === '-') throw invalidArgument('seed', 'it must be empty, demo or a file')
    // Reading says what is wrong.
    const found = await stat(path).catch(() => undefined)
    // A pipe may never end, and may be the stream of the client.
    if (found?.isFile() === false) throw invalidArgument('seed', 'it must be a regular file')
    return (await readJsonInput(context.runtime, path, SEED_MAX_BYTES)).value as Seed
  }
}

const GOES_ON = {
  code: 'timeout',
  message:
    'receivers hold up the clock, which goes on to where it was told to: each attempt takes up to 10 s',
  hint: 'call the tool clock again later, without advance or with 0s',
}

const IS_REAL =
  'A real clock cannot be advanced; stop it and start one with {"action": "start", "clock": "manual"}, tool server.'

const SPANS = 'such as 30s, 2h or 1h30m'

export const clock = defineTool({
  name: 'clock',
  group: 'local',
  description:
    'Read the clock of the local server, or advance a manual one. Retries, signatures and limits follow it; due deliveries are sent before it returns, and it counts their attempts.',
  input: z.strictObject({ advance: z.string().max(40).optional().describe(SPANS) }),
  async run({ local }, { advance }, { mcpReq }) {
    if (advance === undefined) return await local.call('GET', '/clock')
    const { deliveries } = await local.catalog('deliveries')
    const before = new Map(deliveries.map(({ id, attempts }) => [id, attempts]))
    const moved = await local.call('POST', '/clock/advance', { by: advance }, mcpReq.signal).catch(refused)
    const state = moved ?? { ...(await local.call<ClockState>('GET', '/clock')), incomplete: GOES_ON }
    const { deliveries: after } = await local.catalog('deliveries')
    return { ...(state as ClockState), ...attemptsSince(before, after) }

    async function refused(error: unknown): Promise<undefined> {
      if (mcpReq.signal.aborted) return
      if (!(error instanceof Failure && error.details?.field === 'by')) throw error
      const { mode } = await local.call<ClockState>('GET', '/clock')
      const { code, status } = error
      const message = mode === 'real' ? IS_REAL : error.message
      const hint = `advance takes a number with a unit, ${SPANS}`
      throw toolFailure(code, message, hint, { status, details: { argument: 'advance' } })
    }
  },
})

/** Returns how many attempts have ended since `before`, which has their numbers by delivery, and with which outcome. */
function attemptsSince(before: ReadonlyMap<string, number>, deliveries: readonly Delivery[]) {
  const outcomes = deliveries.flatMap(({ id, attempts, earlier_errors, error }) =>
    [...earlier_errors, error].slice(before.get(id) ?? 0, attempts),
  )
  const delivered = outcomes.filter((error) => error === null).length
  const attempts = { delivered, failed: outcomes.length - delivered }
  const perEndpoint = new Map<number, number>()
  for (const { webhook_id: id } of deliveries) perEndpoint.set(id, (perEndpoint.get(id) ?? 0) + 1)
  const isCut = [...perEndpoint.values()].some((count) => count >= LIMITS.deliveryLogEntries)
  return isCut
    ? { attempts, attempts_note: `of the latest ${LIMITS.deliveryLogEntries} deliveries of each endpoint` }
    : { attempts }
}

export const fault = defineTool({
  name: 'fault',
  group: 'local',
  description:
    'Make API requests to the local server fail: an error status, a delay, a reset connection or a broken body.',
  input: z.strictObject({
    action: z.enum(['inject', 'list', 'remove', 'clear']),
    fault: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        '{method, path: "/api/v1/forms/*", times, status, retry_after, delay_ms, reset, truncate, body}',
      ),
    id: z.int().min(1).optional().describe('of the fault to remove'),
    ...PAGING,
  }),
  takenBy: { fault: ['inject'], id: ['remove'], cursor: ['list'] },
  requires: ['fault', 'id'],
  async run({ local }, given) {
    switch (given.action) {
      case 'inject':
        return await local.call('POST', '/faults', given.fault)
      case 'list':
        return pageOf(await local.call<FaultInForce[]>('GET', '/faults'), ({ id }) => id, given)
      case 'remove':
        return await local.call('DELETE', `/faults/${given.id}`)
      case 'clear':
        return await local.call('DELETE', '/faults')
    }
  },
})

export const receiver = defineTool({
  name: 'receiver',
  group: 'local',
  description:
    'Mock webhook receivers on this machine, scripted to fail: one step per request, then 200. received lists what arrived, newest first, and whether the signature was valid.',
  input: z.strictObject({
    action: z.enum(['start', 'script', 'received', 'list', 'stop']),
    receiver: z.int().min(1).optional().describe('id'),
    script: z
      .array(z.union([z.string().max(60), z.int(), z.record(z.string(), z.unknown())]))
      .max(1000)
      .optional()
      .describe(
        '500, "timeout", "reset", "garbage", "redirect", "slow(250)" or {status, headers, body, delay_ms}',
      ),
    secret: z.string().max(1000).optional().describe('verifies signatures'),
    ...PAGING,
  }),
  takenBy: {
    receiver: ['received', 'script', 'stop'],
    script: ['script', 'start'],
    secret: ['script', 'start'],
    cursor: ['list', 'received'],
  },
  requires: ['receiver'],
  async run({ local }, { action, receiver: id, script, secret, ...page }) {
    const settings = { ...(script && { script }), ...(secret === undefined ? {} : { secret }) }
    if (action === 'start') return await local.call('POST', '/receivers', settings)
    if (action === 'list') {
      const receivers = await local.call<Receiver[]>('GET', '/receivers')
      return pageOf(receivers, ({ id }) => id, page)
    }
    const path = `/receivers/${id}`
    if (action === 'script') return await local.call('PUT', path, settings)
    if (action === 'stop') return await local.call('DELETE', path)
    const received = await local.call<ReceiverDelivery[]>('GET', `${path}/deliveries`)
    const rows = received.map(({ body_base64, headers, payload, ...rest }, index) => ({
      number: index + 1,
      ...rest,
      content_type: headers['content-type'] ?? null,
      bytes: Buffer.from(body_base64, 'base64').length,
      payload: markStrangers(payload),
    }))
    return pageOf(rows.reverse(), ({ number }) => number, page)
  },
})

export const requests = defineTool({
  name: 'requests',
  group: 'local',
  description:
    'API requests that the local server received, newest first: what the program under test has called.',
  input: z.strictObject({
    method: z.string().max(10).optional(),
    path: z.string().max(500).optional().describe('part of the path'),
    status: z.int().min(100).max(599).optional(),
    ...PAGING,
  }),
  annotations: READ_ONLY,
  async run({ local }, { method, path = '', status, ...page }) {
    const entries = await local.call<JournalEntry[]>('GET', '/requests')
    const chosen = entries.filter(
      (entry) =>
        (method === undefined || entry.method === method.toUpperCase()) &&
        entry.path.includes(path) &&
        (status === undefined || entry.status === status),
    )
    const rows = chosen.map(({ key_id, address, request_id, ...row }) => row)
    return pageOf(rows, ({ number }) => number, page)
  },
})

const CHANGES = ['replay', 'retry', 'cancel'] as const

export const deliveries = defineTool({
  name: 'deliveries',
  group: 'local',
  description:
    'Webhook deliveries of the local server, newest first; show has the body and all attempts. replay sends a copy, retry starts the next attempt now, cancel ends it.',
  input: z.strictObject({
    action: z.enum(['list', 'show', ...CHANGES]).default('list'),
    delivery: z.string().min(1).max(60).optional().describe('delivery id'),
    form: z.string().max(60).optional().describe('form id'),
    webhook: z.int().min(1).optional().describe('endpoint id'),
    status: z.enum(['pending', 'delivered', 'failed']).optional(),
    ...PAGING,
  }),
  takenBy: {
    delivery: ['show', ...CHANGES],
    form: ['list'],
    webhook: ['list'],
    status: ['list'],
    cursor: ['list'],
  },
  requires: ['delivery'],
  async run({ local }, { action, delivery: id, form, webhook, status, ...page }) {
    if (action === 'list') {
      const { deliveries: all } = await local.catalog('deliveries')
      const chosen = all.filter(
        (one) =>
          (form === undefined || one.form_id === form) &&
          (webhook === undefined || one.webhook_id === webhook) &&
          (status === undefined || one.status === status),
      )
      // An empty list of something that does not exist would hide a misspelt id.
      if (chosen.length === 0) await requireNamed(local, form, webhook)
      return pageOf(chosen.map(rowOf), (row) => row.id, page)
    }
    const path = `/deliveries/${encodeURIComponent(id as string)}`
    if (action === 'show') return markStrangers(await local.call('GET', path))
    return rowOf(await local.call<Delivery>('POST', `${path}/${action}`))
  },
})

/** @throws Failure `not_found` for a form or an endpoint that does not exist */
async function requireNamed(
  local: LocalServer,
  form: string | undefined,
  webhook: number | undefined,
): Promise<void> {
  if (form !== undefined) {
    const path = `/forms/${encodeURIComponent(form)}`
    await local.call('GET', webhook === undefined ? path : `${path}/webhooks/${webhook}`)
  } else if (webhook !== undefined) {
    const { endpoints } = await local.catalog('endpoints')
    const ids = endpoints.map(({ id }) => String(id))
    if (!ids.includes(String(webhook))) throw missingEndpoint(webhook, ids)
  }
}

function rowOf({ payload: _, receiver_answer, ...row }: Delivery) {
  return { ...row, receiver_answer: receiver_answer === null ? null : untrusted(receiver_answer, 80) }
}
