import { onTestFinished } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { createReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'
import { createMockReceiver, type MockReceiver, type MockReceiverOptions } from '../../src/receiver/index.ts'
import { ask } from '../support/server.ts'

/** 2026-11-21T09:30:00Z in milliseconds and in seconds. */
export const START = 1_795_253_400_000
export const START_SECONDS = 1_795_253_400

export type { Json } from '../support/server.ts'
export type World = Awaited<ReturnType<typeof createWorld>>

/** A server with one published form; closed after the test. It has a manual clock and no limits, unless said otherwise. */
export async function createWorld(options: ReferenceServerOptions = {}) {
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
  const call = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await ask(server, method, path, body)
    return { status, body: json ?? null }
  }
  return {
    server,
    formId,
    /** Submits a response; it is delivered to the form's active endpoints. Gives its id. */
    submit: (answer = 'Ada') =>
      server.app.responses.create(formId, { answers: [{ question_id: 'q1', value: answer }], deliver: true })
        .id,
    /** Adds an endpoint. */
    hook,
    /** A receiver with an endpoint for it, whose signatures it verifies. */
    receive: async (receiverOptions?: MockReceiverOptions) => {
      const receiver = await listen(receiverOptions)
      const { id, secret } = await hook(receiver.url)
      receiver.secrets = [secret]
      return { receiver, id, secret }
    },
    /** Status, attempts made and note of the entries of an endpoint, newest first. */
    log: (endpointId: number) =>
      server.app.deliveries
        .list(formId, endpointId)
        .map(({ status, attempts, note }) => ({ status, attempts, note })),
    /** Calls the control side over HTTP, in process. */
    control: call,
    /** Calls the API with the write key. */
    api: call,
  }
}

/** A mock receiver that listens; closed after the test. */
export async function listen(options?: MockReceiverOptions): Promise<MockReceiver> {
  const receiver = createMockReceiver(options)
  onTestFinished(() => receiver.close())
  return receiver.listen()
}
