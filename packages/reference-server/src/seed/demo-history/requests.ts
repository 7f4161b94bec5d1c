import { ERROR_STATUS, type ErrorCode } from '@formwire/contract'
import type { Context } from '../../context.ts'
import type { ApiKey } from '../../domain/key.ts'
import type { JournalHistory } from '../../http/journal.ts'
import type { HeaderLookup } from '../../http/message.ts'
import { type Chance, createChance } from './chance.ts'

type HistoryTarget = Pick<Context, 'state' | 'clock'>

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const CHANCE_SEED = 20_261_122
const FEEDBACK = '/api/v1/forms/guestvoice01'

/** A program that called the API, from the start of the day to now. */
interface Client {
  /** Name of its key in the demo seed. `undefined` for one without a key. */
  readonly key: string | undefined
  readonly agent: string
  readonly address: string
  /** Minutes from one call to the next: at least, and at most. */
  readonly pause: readonly [min: number, max: number]
  /** Calls in turn: method, path with query, and status or error. */
  readonly calls: readonly (readonly [method: string, path: string, outcome: 200 | Refusal])[]
}

/** Code and message of an error, as the API would respond. */
type Refusal = readonly [code: ErrorCode, message: string]

const NO_KEY: Refusal = ['unauthorized', 'The API key is missing, wrong or revoked.']
const READ_ONLY: Refusal = ['forbidden', 'This key is read-only; use a key with write scope.']
const NOT_FOUND: Refusal = ['not_found', 'Not found.']
const PER_PAGE: Refusal = ['validation_failed', 'per_page must be an integer from 1 to 100, got "500".']
const PRIVATE_URL: Refusal = [
  'validation_failed',
  'The address 10.0.0.8 is not allowed (private): use a public address.',
]
const TOO_FAST: Refusal = ['rate_limited', 'Too many requests with this key. Wait 60 seconds.']

const CLIENTS: readonly Client[] = [
  {
    key: 'Reporting',
    agent: 'formwire-sdk/1.0.0 node/20.19.0',
    address: '10.20.0.14',
    pause: [9, 16],
    calls: [
      ['GET', `${FEEDBACK}/responses?since=SINCE&per_page=100`, 200],
      ['GET', `${FEEDBACK}/responses?since=SINCE&per_page=100&page=2`, 200],
      ['GET', `${FEEDBACK}/responses?since=SINCE&per_page=100`, 200],
      ['GET', `${FEEDBACK}/responses?since=SINCE&per_page=100`, 200],
      ['GET', '/api/v1/forms/retreatform1/responses?since=SINCE', 200],
      ['GET', '/api/v1/forms?status=published', 200],
      ['GET', `${FEEDBACK}/responses?since=SINCE&per_page=100`, 200],
      ['GET', `${FEEDBACK}/responses?since=SINCE&per_page=500`, PER_PAGE],
    ],
  },
  {
    key: 'Demo write key',
    agent: 'formwire-cli/1.0.0',
    address: '127.0.0.1',
    pause: [70, 170],
    calls: [
      ['GET', '/api/v1/me', 200],
      ['GET', '/api/v1/forms', 200],
      ['GET', `${FEEDBACK}/webhooks`, 200],
      ['PATCH', '/api/v1/forms/chefposition', 200],
      ['GET', '/api/v1/forms/nosuchform12', NOT_FOUND],
      ['DELETE', `${FEEDBACK}/webhooks/99`, NOT_FOUND],
      ['POST', `${FEEDBACK}/webhooks`, PRIVATE_URL],
    ],
  },
  {
    key: 'Demo read key',
    agent: 'python-requests/2.32.3',
    address: '10.20.0.31',
    pause: [45, 90],
    calls: [
      ['GET', `${FEEDBACK}/responses?page=1`, 200],
      ['GET', `${FEEDBACK}/responses?page=2`, 200],
      ['GET', `${FEEDBACK}/responses?page=3`, TOO_FAST],
      ['PATCH', FEEDBACK, READ_ONLY],
    ],
  },
  {
    key: undefined,
    agent: 'curl/8.9.1',
    address: '10.20.0.77',
    pause: [240, 420],
    calls: [['GET', '/api/v1/me', NO_KEY]],
  },
]

/** Returns API requests of the last day, oldest first. */
export function requestsOfTheDay({ state, clock }: HistoryTarget): JournalHistory[] {
  const chance = createChance(CHANCE_SEED)
  const keys = new Map(Array.from(state.keys.all(), (key) => [key.name, key]))
  return CLIENTS.flatMap((client) => callsOf(client, keys.get(client.key ?? ''), clock.now(), chance)).sort(
    (a, b) => a.receivedAt - b.receivedAt,
  )
}

function callsOf(client: Client, key: ApiKey | undefined, now: number, chance: Chance): JournalHistory[] {
  const requests: JournalHistory[] = []
  const [min, max] = client.pause
  const pause = (): number => chance.between(min * MINUTE_MS, max * MINUTE_MS)
  for (let at = now - DAY_MS + pause(), turn = 0; at < now; at += pause(), turn += 1) {
    const [method, target, outcome] = client.calls[turn % client.calls.length] as Client['calls'][number]
    const since = encodeURIComponent(new Date(at - 3 * max * MINUTE_MS).toISOString())
    const [path = '', query = ''] = target.replace('SINCE', since).split('?', 2)
    const { address, agent } = client
    // The history has the bodies of errors only. A GET or DELETE sends none.
    const hasBodies = outcome !== 200 && ['GET', 'DELETE'].includes(method)
    requests.push({
      request: {
        method,
        path,
        query,
        address,
        headers: agentOnly(agent),
        sentHeaders: hasBodies ? ['user-agent', agent, 'accept', 'application/json'] : undefined,
      },
      key,
      response: responseTo(outcome),
      receivedAt: at,
      durationMs: 1 + (turn % 7),
    })
  }
  return requests
}

function responseTo(outcome: 200 | Refusal): JournalHistory['response'] {
  const headers = { 'content-type': 'application/json' }
  if (outcome === 200) return { status: outcome, headers, body: null }
  const [code, message] = outcome
  return { status: ERROR_STATUS[code], headers, body: JSON.stringify({ error: { code, message } }) }
}

const agentOnly = (agent: string): HeaderLookup => ({
  get: (name) => (name === 'user-agent' ? agent : undefined),
})
