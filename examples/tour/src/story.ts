/**
 * The main story of Formwire in one process: a response goes from the public link to a verified webhook, is polled,
 * listed and deleted, and its form is closed. Every step checks what it claims.
 */
import { isDeepStrictEqual } from 'node:util'
import { createMockReceiver, createReferenceServer } from '@formwire/reference-server'
import { Formwire, memoryCheckpoint } from '@formwire/sdk'
import { verifyWebhook } from '@formwire/webhook-verify'
import { formwireCommand } from './formwire-command.ts'

/** How the story speaks to the server: over its socket, or by calling it in process. */
export type Door = 'socket' | 'in process'

/** Where the story is told: a heading a step, then what was seen. */
export interface Telling {
  step(title: string): void
  saw(line: string): void
}

/** A step of the story did not go as the service's document says. */
export class StoryBroken extends Error {
  override readonly name = 'StoryBroken'
}

/** Long enough for a receiver on this machine, short enough to wait for one that hangs. */
const DELIVERY_TIMEOUT_MS = 400

const LINE_WIDTH = 110

const shortened = (line: string): string =>
  line.length > LINE_WIDTH ? `${line.slice(0, LINE_WIDTH)}…` : line

/** Lives through the story. @throws StoryBroken at the first step that does not hold. */
export async function liveThrough(door: Door, telling: Telling): Promise<void> {
  const held = (claim: string, actual: unknown, expected: unknown): void => {
    if (!isDeepStrictEqual(actual, expected)) {
      throw new StoryBroken(`${claim}: expected ${JSON.stringify(expected)}, saw ${JSON.stringify(actual)}`)
    }
    telling.saw(`✓ ${claim}`)
  }

  telling.step('A reference server on a manual clock, and a receiver that will misbehave twice')
  const server = createReferenceServer({ clock: 'manual', deliveryTimeoutMs: DELIVERY_TIMEOUT_MS })
  const receiver = await createMockReceiver({ script: ['500', 'timeout', '200'] }).listen()
  try {
    const { url } = await server.listen({ port: 0 })
    const call = door === 'socket' ? globalThis.fetch : server.fetch
    const apiKey = server.writeKey
    telling.saw(`server ${url}, its clock stands at ${new Date(server.clock.now()).toISOString()}`)
    telling.saw(`receiver ${receiver.url}, script: 500, timeout, 200`)

    telling.step('A form is published, and an endpoint registered for it')
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
    held(
      'the endpoint is active and its secret was shown once',
      [endpoint.active, endpoint.secret.slice(0, 6)],
      [true, 'whsec_'],
    )

    telling.step('Somebody answers through the public link')
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
    held('the public link answers 201', submitted.status, 201)
    const { data } = (await submitted.json()) as { data: { id: number } }

    telling.step('The delivery is tried at once, after 1 minute, and after 5 more')
    const entry = async () => (await server.app.deliveries.list(formId, endpoint.id))[0]
    const state = async () => {
      const { status, attempts, http_status } = (await entry()) ?? {}
      return { status, attempts, http_status }
    }
    await server.clock.advance(0)
    held('the first attempt met a 500', await state(), { status: 'pending', attempts: 1, http_status: 500 })
    await server.clock.advance('1m')
    held('the second one hung until its deadline', await state(), {
      status: 'pending',
      attempts: 2,
      http_status: null,
    })
    await server.clock.advance('5m')
    held('the third one was taken', await state(), { status: 'delivered', attempts: 3, http_status: 200 })

    telling.step('The receiver verifies what it was sent')
    const [first, , third] = receiver.deliveries
    if (!first || !third)
      throw new StoryBroken(`expected 3 requests at the receiver, saw ${receiver.deliveries.length}`)
    const event = verifyWebhook({
      secret: endpoint.secret,
      headers: third.headers,
      body: third.rawBody,
      now: () => server.clock.now(),
    })
    if (event.type !== 'response.submitted')
      throw new StoryBroken(`expected a response.submitted event, saw ${event.type}`)
    held(
      'webhook-verify trusts the third attempt',
      [event.response.id, event.response.answers.map(({ text }) => text)],
      [data.id, ['5', 'The quiet corner by the window.']],
    )
    const header = (name: string) => [first.headers[name], third.headers[name]]
    held('the delivery id stayed', new Set(header('x-service-delivery')).size, 1)
    held(
      'the timestamp moved by 6 minutes',
      Number(header('x-service-timestamp')[1]) - Number(header('x-service-timestamp')[0]),
      360,
    )
    held('the signature is a new one', new Set(header('x-service-signature')).size, 2)

    telling.step('The same response is polled with the SDK')
    const checkpoint = memoryCheckpoint()
    const poll = async () => {
      const ids: number[] = []
      for await (const response of formwire.responses.poll(formId, { once: true, checkpoint }))
        ids.push(response.id)
      return ids
    }
    held('the first poll gives it', await poll(), [data.id])
    held('the second poll gives nothing again', await poll(), [])

    telling.step('The form is listed and closed from the terminal')
    const formwireSays = async (...argv: string[]) => {
      telling.saw(`$ formwire ${argv.join(' ')}`)
      const result = await formwireCommand(argv, {
        FORMWIRE_API_KEY: apiKey,
        FORMWIRE_BASE_URL: url,
        FORMWIRE_ADMIN_TOKEN: server.adminToken,
      })
      if (result.exitCode !== 0)
        throw new StoryBroken(`formwire ${argv.join(' ')}: exit ${result.exitCode}, ${result.stderr.trim()}`)
      for (const line of result.stdout.trimEnd().split('\n')) telling.saw(`  ${shortened(line)}`)
      return result.stdout
    }
    await formwireSays('forms', 'list')
    await formwireSays('forms', 'close', formId)
    const refused = await respond([{ question_id: 'stars', value: 1 }])
    const refusal = (await refused.json()) as { error: { code: string } }
    held(
      'the public link refuses the next answer',
      [refused.status, refusal.error.code],
      [403, 'form_closed'],
    )

    telling.step('The response is deleted')
    held('the form counts one response', (await formwire.forms.get(formId)).response_count, 1)
    await formwireSays('responses', 'delete', formId, String(data.id), '--yes')
    held('the form counts none', (await formwire.forms.get(formId)).response_count, 0)

    telling.step('The delivery log is tailed')
    const tail = await formwireSays(
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
    held(
      'it shows one delivery, done at the third attempt',
      [logged.response_id, logged.status, logged.attempts],
      [data.id, 'delivered', 3],
    )
  } finally {
    await receiver.close()
    await server.close()
  }
}
