import { createReferenceServer } from '@formwire/reference-server'
import { startChild } from './child.ts'

/** Forms with deliveries; each has ten endpoints. */
const FORMS = 5
const ENDPOINTS_PER_FORM = 10
const RESPONSES = 10_000
/** One response every 100 ms to ten endpoints: 100 deliveries per second. */
const EVERY_MS = 100

/** Sent to the parent process when the server listens. */
interface Listening {
  url: string
  adminToken: string
  readKey: string
  bigFormId: string
}

/**
 * Runs a server with 50 endpoints and 10,000 responses that sends 100 deliveries per second. Replies to the message `cpu`
 * with the processor time of its process, including all threads.
 *
 * @param target URL of the receiver, which runs in another process.
 */
export async function serveBusily(target: string): Promise<void> {
  const server = createReferenceServer({ limits: 'off' })
  const { url } = await server.listen({ port: 0 })
  const { forms, webhooks, responses } = server.app

  const question = { id: 'say', type: 'long_text', title: 'What do you say?' }
  const answer = (text: string) => [{ question_id: 'say', value: text }]
  const bigFormId = forms.create({ title: 'Ten thousand', questions: [question] }).id
  forms.publish(bigFormId)
  for (let n = 0; n < RESPONSES; n++) {
    responses.create(bigFormId, {
      answers: answer(`Response ${n}: ${'words '.repeat(20)}`),
      email: `r${n}@example.com`,
    })
  }
  const sending: string[] = []
  for (let n = 0; n < FORMS; n++) {
    const { id } = forms.create({ title: `Busy form ${n}`, questions: [question] })
    forms.publish(id)
    for (let each = 0; each < ENDPOINTS_PER_FORM; each++)
      await webhooks.create(id, { url: `${target}${each}` })
    sending.push(id)
  }
  let turn = 0
  setInterval(() => {
    const formId = sending[turn++ % sending.length] as string
    responses.create(formId, { answers: answer(`Live ${turn}`), deliver: true })
  }, EVERY_MS)

  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMs: (user + system) / 1_000 })
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({
    url,
    adminToken: server.adminToken,
    readKey: server.readKey,
    bigFormId,
  } satisfies Listening)
}

export interface BusyServer extends Listening {
  /** Processor time of the server's process since its start, in milliseconds. */
  cpuMs(): Promise<number>
  stop(): void
}

/** Starts `script serve TARGET`, which must call `serveBusily`. */
export async function startBusily(script: URL, target: string): Promise<BusyServer> {
  const { ready, ask, stop } = await startChild<Listening>(script, ['serve', target])
  return { ...ready, cpuMs: async () => (await ask<{ cpuMs: number }>('cpu')).cpuMs, stop }
}
