import { parseArgs } from 'node:util'
import { watchRunner } from '@formwire/internal/package-runner'
import { createMockReceiver } from './mock-receiver.ts'
import type { ReceivedDelivery } from './received-delivery.ts'
import { MISBEHAVIOURS } from './script.ts'

const HELP = `Usage: formwire-server receiver [options]

Run a webhook receiver that responds as scripted and prints each delivery.
Set FORMWIRE_WEBHOOK_SECRET to verify signatures (separate several secrets with commas).

  --port N           port to listen on (default: any free port)
  --host HOST        address to listen on (default: 127.0.0.1)
  --script STEPS     steps to play in turn, separated by commas, then 200. A step is a status,
                     slow(MS), or one of ${MISBEHAVIOURS.join(', ')}
  --per-delivery     run the script separately for each delivery id
  --json             print one JSON object per line; the first is {"event":"listening","url":...}
  --help             show this help
`

/** Deliveries whose ids are remembered, to number their attempts, and bytes of their bodies. */
const KEPT = 1000
const KEPT_BYTES = 16 * 1_048_576

const OPTIONS = {
  port: { type: 'string', default: '0' },
  host: { type: 'string', default: '127.0.0.1' },
  script: { type: 'string', default: '' },
  'per-delivery': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Streams, environment and signals of the command, replaced in tests. */
export interface ReceiverStreams {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  /** Resolves when the command should stop. */
  readonly untilStopped: () => Promise<void>
}

/**
 * Runs `formwire-server receiver`: a mock receiver, until it is stopped.
 *
 * @param argv Arguments after `receiver`.
 * @returns The exit code: 0 when stopped, 1 if it cannot listen, 2 for a usage error.
 */
export async function runReceiver(
  argv: readonly string[],
  streams: ReceiverStreams = processStreams(),
): Promise<number> {
  const { out, error, env, untilStopped } = streams
  const usage = readUsage(argv, env)
  if ('problem' in usage) {
    error(`formwire-server receiver: ${usage.problem}\n`)
    return 2
  }
  if (usage.help) {
    out(HELP)
    return 0
  }
  const { receiver, port, host, json, secrets } = usage
  receiver.onDelivery = (delivery) => {
    out(json ? `${JSON.stringify(deliveryJson(delivery))}\n` : `${describe(delivery)}\n`)
    receiver.keepLatest(KEPT, KEPT_BYTES)
  }
  try {
    await receiver.listen({ port, host })
  } catch (cause) {
    error(`formwire-server receiver: cannot listen on ${host}:${port}: ${(cause as Error).message}\n`)
    return 1
  }
  const { url } = receiver
  out(json ? `${JSON.stringify({ event: 'listening', url })}\n` : `Listening on ${url}\n`)
  if (!json && secrets === 0) error('Signatures are not verified: FORMWIRE_WEBHOOK_SECRET is not set.\n')
  await untilStopped()
  await receiver.close()
  return 0
}

function readUsage(argv: readonly string[], env: ReceiverStreams['env']) {
  try {
    const { values } = parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false })
    const port = Number(values.port)
    if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
      return { problem: `--port must be an integer from 0 to 65535, got ${JSON.stringify(values.port)}` }
    const secret = split(env.FORMWIRE_WEBHOOK_SECRET ?? '')
    const receiver = createMockReceiver({
      secret,
      script: split(values.script),
      scriptPer: values['per-delivery'] ? 'delivery' : 'turn',
    })
    return { receiver, port, host: values.host, json: values.json, help: values.help, secrets: secret.length }
  } catch (cause) {
    return { problem: (cause as Error).message }
  }
}

const split = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function deliveryJson(delivery: ReceivedDelivery) {
  const { id, attempt, event: type, timestamp, verified, verificationError: error, payload } = delivery
  return { event: 'delivery', id, attempt, type, timestamp, verified, error, payload }
}

function describe(delivery: ReceivedDelivery): string {
  const { id, attempt, event, verified, verificationError, payload, rawBody } = delivery
  const signature =
    verified === null ? 'not verified' : verified ? 'signature ok' : `rejected: ${verificationError}`
  const about = payload
    ? `form ${printable(payload.form?.id)}, response ${printable(payload.response?.id)}`
    : 'not JSON'
  return `${printable(event || '(no event)')} ${printable(id || '(no delivery id)')} attempt ${attempt}: ${about}, ${rawBody.length} bytes, ${signature}`
}

/** Untrusted text, made safe for a terminal. */
const printable = (value: unknown): string =>
  String(value ?? '?')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 80)

function processStreams(): ReceiverStreams {
  const onRunnerEnd = watchRunner()
  return {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
    env: process.env,
    untilStopped: () =>
      new Promise((resolve) => {
        process.once('SIGINT', resolve)
        process.once('SIGTERM', resolve)
        onRunnerEnd(() => resolve(undefined))
      }),
  }
}
