import type { FormResponse } from '@formwire/contract'
import type { JournalEntry } from '@formwire/contract/control'
import { recognizeCopies } from '@formwire/internal/error-class'
import { RunningTime } from '../clock/running-time.ts'
import type { DeliveryEntry } from '../delivery/index.ts'
import { ExplainedError } from '../explained-error.ts'
import { requireNextTick } from '../fake-timers.ts'
import { namesOf, refuseUnknownOptions } from '../known-names.ts'
import {
  deliverySummary,
  describeNearest,
  type MatchOf,
  matches,
  requestSummary,
  responseSummary,
  until,
} from '../matching/match.ts'
import type { ReferenceServer } from '../server.ts'

/** A request of the journal, with its query parsed. */
export interface RecordedRequest extends Omit<JournalEntry, 'query'> {
  readonly query: Readonly<Record<string, string>>
}

/** Options of a wait. */
export interface WaitOptions {
  /**
   * Real milliseconds before the wait fails. Of a pause in which the process was busy or got no processor time, 50 count.
   * @default 2000
   */
  timeoutMs?: number | undefined
}

/** Assertions on recorded requests, deliveries and responses. */
export interface Waits {
  /** Returns the API requests, oldest first. */
  requests(): RecordedRequest[]
  /**
   * Returns the latest API request that matches. @throws ExpectationError with the closest requests.
   */
  expectRequest(match: MatchOf<RecordedRequest>): RecordedRequest
  /** Returns the API requests that match, of which there must be exactly `times`. @throws ExpectationError */
  expectRequests(match: MatchOf<RecordedRequest>, times: number): RecordedRequest[]
  /** Waits for an API request that matches, including those already made. @throws ExpectationError after the timeout. */
  waitForRequest(match: MatchOf<RecordedRequest>, options?: WaitOptions): Promise<RecordedRequest>
  /** Waits for a delivery in any log that matches, including those already there. @throws ExpectationError after the timeout. */
  waitForDelivery(match?: MatchOf<DeliveryEntry>, options?: WaitOptions): Promise<DeliveryEntry>
  /** Waits for a response or draft of any form that matches, including those already there. @throws ExpectationError after the timeout. */
  waitForResponse(match?: MatchOf<FormResponse>, options?: WaitOptions): Promise<FormResponse>
}

const WAIT_OPTIONS = namesOf<WaitOptions>({ timeoutMs: true })
const WAIT_MS = 2000
/** Newest responses of each form that a wait checks. */
const RESPONSES_PER_FORM = 100

/** @param context A line added to every message, such as the value of `unspecified`; empty for none. */
export function createWaits(server: ReferenceServer, context: string): Waits {
  const fail = (text: string): never => {
    throw new ExpectationError(context === '' ? text : `${text}\n${context}`)
  }
  const find = <Item>(items: readonly Item[], match: MatchOf<Item>): Item[] =>
    items.filter((item) => matches(item, match))

  async function wait<Item>(
    what: string,
    look: () => readonly Item[],
    match: MatchOf<Item>,
    summary: (item: Item) => string,
    options: WaitOptions = {},
  ): Promise<Item> {
    refuseUnknownOptions(options, WAIT_OPTIONS, 'A wait')
    await requireNextTick()
    const { timeoutMs = WAIT_MS } = options
    // On a loaded machine the first delivery loads its modules for seconds.
    const time = new RunningTime()
    const found = await until(() => find(look(), match)[0], { timeoutMs, now: () => time.now() })
    if (found !== undefined) return found
    const hint =
      server.clock.mode === 'manual'
        ? ' The clock is manual: call server.clock.advance() for anything scheduled later.'
        : ''
    return fail(
      `Timed out after ${timeoutMs} ms waiting for ${what} that matches.${hint} ${describeNearest(look(), match, summary)}`,
    )
  }

  const requests = (): RecordedRequest[] =>
    server.app.requests
      .list()
      .reverse()
      .map((entry) => ({ ...entry, query: Object.fromEntries(new URLSearchParams(entry.query)) }))

  return {
    requests,
    expectRequest(match) {
      const made = requests()
      return (
        find(made, match).at(-1) ??
        fail(`Expected a request that matches. ${describeNearest(made, match, requestSummary)}`)
      )
    },
    expectRequests(match, times) {
      const made = requests()
      const found = find(made, match)
      if (found.length === times) return found
      const expected = `Expected ${times} ${times === 1 ? 'request that matches' : 'requests that match'}`
      const lines = found.map((one) => `  ${requestSummary(one)}`).join('\n')
      return found.length > 0
        ? fail(`${expected}, found ${found.length}:
${lines}`)
        : fail(`${expected}. ${describeNearest(made, match, requestSummary)}`)
    },
    waitForRequest: (match, options) => wait('a request', requests, match, requestSummary, options),
    waitForDelivery: (match = {}, options) =>
      wait('a delivery', () => allDeliveries(server), match, deliverySummary, options),
    waitForResponse: (match = {}, options) =>
      wait('a response', () => allResponses(server), match, responseSummary, options),
  }
}

function allDeliveries({ app }: ReferenceServer): DeliveryEntry[] {
  return app.forms
    .list()
    .flatMap((form) => app.webhooks.list(form.id).flatMap(({ id }) => app.deliveries.list(form.id, id)))
    .reverse()
}

function allResponses({ app }: ReferenceServer): FormResponse[] {
  return app.forms
    .list()
    .flatMap(({ id }) =>
      (['submitted', 'in_progress'] as const).flatMap(
        (status) => app.responses.list(id, status, 0, RESPONSES_PER_FORM).items,
      ),
    )
    .sort((a, b) => b.at - a.at || b.id - a.id)
    .map(({ json }) => JSON.parse(json) as FormResponse)
}

/** An expectation was not met. The message contains the closest candidates and how they differ. */
export class ExpectationError extends ExplainedError {
  override readonly name = 'ExpectationError'
}
recognizeCopies(ExpectationError, 'ExpectationError')
