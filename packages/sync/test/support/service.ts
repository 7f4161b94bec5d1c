import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from '@formwire/reference-server'
import { type Clock, Formwire, type FormwireOptions } from '@formwire/sdk'
import type { SubmittedEvent } from '../../src/index.ts'

/** The time at the start of every test. */
export const NOON = Date.parse('2026-11-21T12:00:00.000Z')

export interface Service {
  server: ReferenceServer
  /** Requests to the API so far. */
  readonly requests: number
  /** Called before each request; may change the service. */
  before: ((request: Request) => Promise<void> | void) | undefined
  /** Answers requests in place of the service, unless it returns nothing. */
  instead: ((request: Request) => Promise<Response | undefined> | Response | undefined) | undefined
  client(options?: FormwireOptions): Formwire
  /** Creates a published form with a rating, a choice and a text. */
  form(title?: string): string
  /** Creates such a form with submitted responses. */
  filled(count: number, title?: string): string
  /** Adds submitted responses, one a second unless said otherwise, and returns their ids. */
  add(formId: string, count: number, at?: (index: number) => string): number[]
  submitted(formId: string): number[]
}

const QUESTIONS = [
  { id: 'nps', type: 'nps', title: 'Would you recommend us?' },
  {
    id: 'colour',
    type: 'multiple_choice',
    title: 'Colours',
    options: [
      { id: 'r', label: 'Red' },
      { id: 'b', label: 'Blue' },
    ],
  },
  { id: 'why', type: 'long_text', title: 'Why?' },
]

/** What differs between events: answers as they are, or values by question, of one type or of that of each value. */
export interface EventContent {
  answers?: readonly object[] | Readonly<Record<string, number | string>>
  type?: string | undefined
  submitted_at?: string
}

/** A delivered response. */
export function eventOf(
  form: string,
  id: number,
  { answers = [], type, submitted_at = '2026-11-21T12:00:00Z' }: EventContent = {},
): SubmittedEvent {
  const list = Object.entries(answers).map(([question_id, value]) =>
    typeof value === 'object'
      ? value
      : {
          question_id,
          title: 'Question',
          type: type ?? (typeof value === 'number' ? 'number' : 'short_text'),
          value,
          text: String(value),
        },
  )
  const response = { id, submitted_at, answers: list as never, score: null, max_score: null, meta: {} }
  return { form: { id: form, title: 'Survey' }, response }
}

/** The clock of a service. Whatever waits does so until `pass` has done its work, unless the wait ends before that begins. */
export const clockOf = ({ server: { clock } }: Service, pass: (ms: number) => unknown): Clock => ({
  now: () => clock.now(),
  setTimer(callback, ms) {
    let isOver = false
    setImmediate(async () => {
      if (isOver) return
      // A failure fails the test, and what waits goes on, so that it ends.
      try {
        await pass(ms)
      } finally {
        if (!isOver) callback()
      }
    })
    return () => {
      isOver = true
    }
  },
})

/** A clock on which time passes whenever something waits. */
export const passingClock = (service: Service): Clock =>
  clockOf(service, (ms) => service.server.clock.advance(Math.ceil(ms)))

/** Starts a service in process, on a manual clock and without limits unless the options say otherwise. */
export async function startService(options: ReferenceServerOptions = {}): Promise<Service> {
  const server = createReferenceServer({
    ...(options.clock === undefined && { clock: 'manual', now: NOON }),
    limits: 'off',
    ...options,
  })
  await server.ready
  const state = { requests: 0 }
  const service: Service = {
    server,
    before: undefined,
    instead: undefined,
    get requests() {
      return state.requests
    },
    client: (more = {}) =>
      new Formwire({
        apiKey: server.writeKey,
        rateLimit: false,
        fetch: async (...[input, init]: Parameters<typeof globalThis.fetch>) => {
          state.requests += 1
          const request = new Request(input, init)
          await service.before?.(request)
          return (await service.instead?.(request)) ?? (await server.fetch(request))
        },
        ...more,
      }),
    form(title = 'Survey') {
      const { id } = server.app.forms.create({ title, questions: QUESTIONS })
      server.app.forms.publish(id)
      return id
    },
    filled(count, title) {
      const form = service.form(title)
      service.add(form, count)
      return form
    },
    add(formId, count, at = (index) => new Date(NOON - 86_400_000 * 30 + index * 1000).toISOString()) {
      return Array.from({ length: count }, (_, index) => {
        const answers = [
          { question_id: 'nps', value: index % 11 },
          { question_id: 'colour', value: { ids: ['r', 'b'].slice(0, 1 + (index % 2)), other: null } },
        ]
        return server.app.responses.create(formId, { submitted_at: at(index), answers }).id
      })
    },
    submitted(formId) {
      const all: number[] = []
      for (let from = 0; ; from += 1000) {
        const { items } = server.app.responses.list(formId, 'submitted', from, 1000)
        all.push(...items.map(({ id }) => id))
        if (items.length < 1000) return all.sort((a, b) => a - b)
      }
    },
  }
  return service
}
