/**
 * An end-to-end scenario in one process: a response goes from the public link to a verified webhook, is polled,
 * listed and deleted, and its form is closed. Every line marked ✓ has been verified.
 */
import { isDeepStrictEqual } from 'node:util'
import { createMockReceiver, createReferenceServer } from '@formwire/reference-server'
import { Formwire, memoryCheckpoint } from '@formwire/sdk'
import { verifyWebhook } from '@formwire/webhook-verify'
import { formwireCommand } from './formwire-command.ts'

/** How requests reach the server: over its socket, or in process. */
export type Transport = 'socket' | 'in process'

/** Receives the output: a heading per step, then the lines below it. */
export interface Reporter {
  step(title: string): void
  note(line: string): void
}

/** A step did not behave as documented. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
}

/** Long enough for a local receiver, and short enough to wait for one that hangs. */
const DELIVERY_TIMEOUT_MS = 2_000

const LINE_WIDTH = 110

const shortened = (line: string): string =>
  line.length > LINE_WIDTH ? `${line.slice(0, LINE_WIDTH)}…` : line

/** Runs the scenario. @throws ScenarioError at the first step that fails. */
export async function runScenario(transport: Transport, reporter: Reporter): Promise<void> {
  const verify = (claim: string, actual: unknown, expected: unknown): void => {
    if (!isDeepStrictEqual(actual, expected)) {
      throw new ScenarioError(`${claim}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`)
    }
    reporter.note(`✓ ${claim}`)
  }

  reporter.step('Start a reference server with a manual clock, and a receiver that fails twice')
  const server = createReferenceServer({ clock: 'manual', deliveryTimeoutMs: DELIVERY_TIMEOUT_MS })
  const receiver = await createMockReceiver({ script: ['500', 'timeout', '200'] }).listen()
  try {
    const { url } = await server.listen({ port: 0 })
    const call = transport === 'socket' ? globalThis.fetch : server.fetch
    const apiKey = server.writeKey
    reporter.note(`server ${url}, clock at ${new Date(server.clock.now()).toISOString()}`)
    reporter.note(`receiver ${receiver.url}, script: 500, timeout, 200`)

    reporter.step('Publish a form and add an endpoint')
    const { id: formId } = await server.app.forms.create({
      title: 'Visit feedback',
      questions: [
        { id: 'stars', type: 'rating', title: 'How was your visit?', required: true },
        { id: 'why', type: 'long_text', title: 'What stood out?' },
      ],
    })
    await server.app.forms.publish(formId)
    const formwire = new Formwire({ apiKey, baseUrl: url, fetch: call, rateLimit: false })
    const form = await formwire.forms.get(formId)
    const endpoint = await formwire.webhooks.create(formId, { url: receiver.url })
    verify(
      'the endpoint is active and its secret was shown once',
      [endpoint.active, endpoint.secret.slice(0, 6)],
      [true, 'whsec_'],
    )

    reporter.step('Submit a response through the public link')
    const respond = (answers: unknown[]) =>
      call(
        new Request(form.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify({ answers }),
        }),
      )
    const submitted = await respond([
      { question_id: 'stars', value: 5 },
      { question_id: 'why', value: 'The quiet corner by the window.' },
    ])
    verify('the public link returns 201', submitted.status, 201)
    const { data } = (await submitted.json()) as { data: { id: number } }

    reporter.step('Deliver immediately, after 1 minute, and after 5 more')
    const delivery = async () => (await server.app.deliveries.list(formId, endpoint.id))[0]
    const state = async () => {
      const { status, attempts, http_status } = (await delivery()) ?? {}
      return { status, attempts, http_status }
    }
    await server.clock.advance(0)
    verify('the first attempt got a 500', await state(), { status: 'pending', attempts: 1, http_status: 500 })
    await server.clock.advance('1m')
    verify('the second attempt timed out', await state(), {
      status: 'pending',
      attempts: 2,
      http_status: null,
    })
    await server.clock.advance('5m')
    verify('the third attempt was accepted', await state(), {
      status: 'delivered',
      attempts: 3,
      http_status: 200,
    })

    reporter.step('Verify the delivery in the receiver')
    const [first, , third] = receiver.deliveries
    if (!first || !third)
      throw new ScenarioError(`expected 3 requests at the receiver, got ${receiver.deliveries.length}`)
    const event = verifyWebhook({
      secret: endpoint.secret,
      headers: third.headers,
      body: third.rawBody,
      now: () => server.clock.now(),
    })
    if (event.type !== 'response.submitted')
      throw new ScenarioError(`expected a response.submitted event, got ${event.type}`)
    verify(
      'webhook-verify accepts the third attempt',
      [event.response.id, event.response.answers.map(({ text }) => text)],
      [data.id, ['5', 'The quiet corner by the window.']],
    )
    const header = (name: string) => [first.headers[name], third.headers[name]]
    verify('the delivery id is the same', new Set(header('x-service-delivery')).size, 1)
    verify(
      'the timestamp is 6 minutes later',
      Number(header('x-service-timestamp')[1]) - Number(header('x-service-timestamp')[0]),
      360,
    )
    verify('the signature is new', new Set(header('x-service-signature')).size, 2)

    reporter.step('Poll the response with the SDK')
    const checkpoint = memoryCheckpoint()
    const poll = async () => {
      const ids: number[] = []
      for await (const response of formwire.responses.poll(formId, { once: true, checkpoint }))
        ids.push(response.id)
      return ids
    }
    verify('the first poll returns it', await poll(), [data.id])
    verify('the second poll returns nothing', await poll(), [])

    reporter.step('List and close the form with the CLI')
    const runFormwire = async (...argv: string[]) => {
      reporter.note(`$ formwire ${argv.join(' ')}`)
      const result = await formwireCommand(argv, {
        FORMWIRE_API_KEY: apiKey,
        FORMWIRE_BASE_URL: url,
        FORMWIRE_ADMIN_TOKEN: server.adminToken,
      })
      if (result.exitCode !== 0)
        throw new ScenarioError(
          `formwire ${argv.join(' ')}: exit ${result.exitCode}, ${result.stderr.trim()}`,
        )
      for (const line of result.stdout.trimEnd().split('\n')) reporter.note(`  ${shortened(line)}`)
      return result.stdout
    }
    await runFormwire('forms', 'list')
    await runFormwire('forms', 'close', formId)
    const refused = await respond([{ question_id: 'stars', value: 1 }])
    const refusal = (await refused.json()) as { error: { code: string } }
    verify(
      'the public link rejects the next response',
      [refused.status, refusal.error.code],
      [403, 'form_closed'],
    )

    reporter.step('Delete the response')
    verify('the form counts one response', (await formwire.forms.get(formId)).response_count, 1)
    await runFormwire('responses', 'delete', formId, String(data.id), '--yes')
    verify('the form counts no responses', (await formwire.forms.get(formId)).response_count, 0)

    reporter.step('Tail the delivery log')
    const tail = await runFormwire(
      'deliveries',
      'tail',
      formId,
      '--since',
      form.created_at,
      '--count',
      '1',
      '--json',
    )
    const logged = JSON.parse(tail) as { status: string; attempts: number; response_id: number }
    verify(
      'it shows one delivery, delivered with the third attempt',
      [logged.response_id, logged.status, logged.attempts],
      [data.id, 'delivered', 3],
    )
  } finally {
    await receiver.close()
    await server.close()
  }
}
