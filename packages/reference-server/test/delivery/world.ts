import { onTestFinished } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'
import { createMockReceiver, type MockReceiver, type MockReceiverOptions } from '../../src/receiver/index.ts'
import { ask, type Json } from '../support/server.ts'

/** 2026-11-21T09:30:00Z in milliseconds and in seconds. */
export const START = 1_795_253_400_000
export const START_SECONDS = 1_795_253_400

/** A server with one published form; closed after the test. */
export interface World {
  readonly server: ReferenceServer
  readonly formId: string
  /** Submits a response; it is delivered to the form's active endpoints. Gives its id. */
  readonly submit: (answer?: string) => number
  /** Adds an endpoint. */
  readonly hook: (url: string) => Promise<{ id: number; secret: string }>
  /** A receiver with an endpoint for it, whose signatures it verifies. */
  readonly receive: (
    options?: MockReceiverOptions,
  ) => Promise<{ receiver: MockReceiver; id: number; secret: string }>
  /** Status, attempts made and note of the entries of an endpoint, newest first. */
  readonly log: (endpointId: number) => { status: string; attempts: number; note: string | null }[]
  /** Calls the control side over HTTP, in process. */
  readonly control: Call
  /** Calls the API with the write key. */
  readonly api: Call
}

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Json }>

export type { Json } from '../support/server.ts'

/** A manual clock and no limits, unless said otherwise. */
export async function createWorld(options: ReferenceServerOptions = {}): Promise<World> {
  const server = createReferenceServer({
    clock: 'manual',
    limits: 'off',
    deliveryTimeoutMs: WAIT_MS,
    ...(options.clock === 'real' ? {} : { now: START }),
    ...options,
  })
  onTestFinished(() => server.close())
  await server.ready
  const { id: formId } = server.app.forms.create({
    title: 'Feedback',
    questions: [{ id: 'q1', type: 'short_text', title: 'Your name' }],
  })
  server.app.forms.publish(formId)
  const hook = (url: string) => server.app.webhooks.create(formId, { url })
  const call: Call = async (method, path, body) => {
    const { status, json } = await ask(server, method, path, body)
    return { status, body: json ?? null }
  }
  return {
    server,
    formId,
    submit: (answer = 'Ada') =>
      server.app.responses.create(formId, { answers: [{ question_id: 'q1', value: answer }], deliver: true })
        .id,
    hook,
    receive: async (receiverOptions) => {
      const receiver = await listen(receiverOptions)
      const { id, secret } = await hook(receiver.url)
      receiver.secrets = [secret]
      return { receiver, id, secret }
    },
    log: (endpointId) =>
      server.app.deliveries
        .list(formId, endpointId)
        .map(({ status, attempts, note }) => ({ status, attempts, note })),
    control: call,
    api: call,
  }
}

/** A mock receiver that listens; closed after the test. */
export async function listen(options?: MockReceiverOptions): Promise<MockReceiver> {
  const receiver = createMockReceiver(options)
  onTestFinished(() => receiver.close())
  return receiver.listen()
}
