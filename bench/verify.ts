/**
 * Compares the verification of deliveries with a baseline and four other libraries. Prints the tables of the section in
 * bench/README.md: `npx tsx --conditions=@formwire/source bench/verify.ts`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { signatureHeader, verifySignature, verifyWebhook } from '@formwire/webhook-verify'
import { examplePayload } from '@formwire/webhook-verify/testing'
import { verifyWebhook as verifyOnWeb } from '@formwire/webhook-verify/web'
import { sign as octokitSign, verify as octokitVerify } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'

const SECRET = 'whsec_4f1d2c8e9a7b6053f1e2d3c4b5a69788'
/** The same entropy as base64, which standardwebhooks and svix require. */
const BASE64_SECRET = `whsec_${Buffer.from('4f1d2c8e9a7b6053f1e2d3c4b5a69788').toString('base64')}`
const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 150)
/** Shorter than a scheduler time slice, so that some rounds run undisturbed. */
const ROUND_MS = 3

interface Contender {
  name: string
  run: () => unknown
}

/** Returns an event of exactly this many bytes, with typical answers. */
function eventOf(bytes: number): Buffer {
  const answer = {
    question_id: 'q_k3j2h1g4f5d6',
    title: 'What could we have done better?',
    type: 'long_text' as const,
    value: 'Shipping took longer than announced, everything else was fine. '.repeat(2),
    text: 'Shipping took longer than announced, everything else was fine. '.repeat(2),
  }
  const event = { event: 'response.submitted', ...examplePayload({ answers: [answer] }) }
  const spare = bytes - JSON.stringify(event).length
  const count = Math.max(0, Math.floor(spare / (JSON.stringify(answer).length + 1)))
  for (let index = 0; index < count; index++) event.response.answers.push({ ...answer })
  const last = event.response.answers.at(-1) as typeof answer
  last.text += '.'.repeat(bytes - JSON.stringify(event).length)
  return Buffer.from(JSON.stringify(event))
}

/**
 * Returns the calls per second of each contender in its fastest round, which is the one least disturbed by other
 * processes. The contenders take turns in every round.
 */
async function callsPerSecond(contenders: Contender[], batch: number): Promise<Map<string, number>> {
  const fastest = new Map<string, number>()
  for (let round = -20; round < ROUNDS; round++) {
    for (const { name, run } of contenders) {
      const isAsync = run() instanceof Promise
      const started = performance.now()
      let calls = 0
      let elapsed = 0
      do {
        for (let index = 0; index < batch; index++) isAsync ? await run() : run()
        calls += batch
        elapsed = performance.now() - started
      } while (elapsed < ROUND_MS)
      // The first rounds are a warm-up.
      if (round >= 0) fastest.set(name, Math.max(fastest.get(name) ?? 0, (calls / elapsed) * 1000))
    }
  }
  return fastest
}

/** Returns the contenders for signature verification alone, and with parsing. */
async function contendersFor(body: Buffer): Promise<{ bare: Contender[]; parsed: Contender[] }> {
  const text = body.toString()
  const seconds = Math.floor(Date.now() / 1000)
  const signedAt = new Date(seconds * 1000)
  const signature = signatureHeader(SECRET, seconds, body)
  const delivery = {
    'x-service-event': 'response.submitted',
    'x-service-delivery': 'dlv_1',
    'x-service-timestamp': String(seconds),
    'x-service-signature': signature,
  }
  /** Headers as Node passes them, including those of every request. */
  const headers = (own: Record<string, string>) => ({
    host: 'receiver.example',
    'user-agent': 'Formwire',
    accept: '*/*',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...own,
  })
  const options = { secret: SECRET, headers: headers(delivery), body }
  const baseline = () => {
    const mac = createHmac('sha256', SECRET).update(`${seconds}.`).update(body).digest()
    if (!timingSafeEqual(mac, Buffer.from(signature.slice(7), 'hex'))) throw new Error('no match')
  }
  const standard = new StandardWebhook(BASE64_SECRET)
  const standardHeaders = headers({
    'webhook-id': 'dlv_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': standard.sign('dlv_1', signedAt, text),
  })
  const svix = new SvixWebhook(BASE64_SECRET)
  const svixHeaders = headers({
    'svix-id': 'dlv_1',
    'svix-timestamp': String(seconds),
    'svix-signature': svix.sign('dlv_1', signedAt, text),
  })
  const octokitSignature = await octokitSign(SECRET, text)
  const stripeHeader = Stripe.webhooks.generateTestHeaderString({ payload: text, secret: SECRET })
  return {
    bare: [
      { name: 'baseline', run: baseline },
      { name: 'formwire', run: () => verifySignature(options) },
      { name: '@octokit/webhooks-methods', run: () => octokitVerify(SECRET, text, octokitSignature) },
    ],
    parsed: [
      { name: 'baseline', run: () => [baseline(), JSON.parse(body.toString())] },
      { name: 'formwire', run: () => verifyWebhook(options) },
      { name: 'formwire /web', run: () => verifyOnWeb(options) },
      { name: 'standardwebhooks', run: () => standard.verify(body, standardHeaders) },
      { name: 'svix', run: () => svix.verify(body, svixHeaders) },
      { name: 'stripe', run: () => Stripe.webhooks.constructEvent(body, stripeHeader, SECRET) },
    ],
  }
}

const SIZES = { '1 kB': 1_000, '10 kB': 10_000, '100 kB': 100_000, '1 MB': 1_000_000 }

/** Formats a table with a row per contender, a column per size, and the speed relative to the baseline. */
async function ratioTable(kind: 'bare' | 'parsed'): Promise<string> {
  const columns: Array<Map<string, number>> = []
  for (const bytes of Object.values(SIZES)) {
    const contenders = (await contendersFor(eventOf(bytes)))[kind]
    // Reading the clock after every call would cost as much as a small call.
    columns.push(await callsPerSecond(contenders, bytes > 10_000 ? 1 : 10))
  }
  const names = [...(columns[0]?.keys() ?? [])].filter((name) => name !== 'baseline')
  const rows = names.map((name) => {
    const ratios = columns.map((column) =>
      ((column.get(name) ?? 0) / (column.get('baseline') ?? 1)).toFixed(2),
    )
    return `| ${name} | ${ratios.join(' | ')} |`
  })
  return [`| × baseline | ${Object.keys(SIZES).join(' | ')} |`, '|---|---|---|---|---|', ...rows].join('\n')
}

console.log(`Node ${process.version}\n`)
console.log(
  `Signature only, relative to \`createHmac\` + \`timingSafeEqual\`:\n\n${await ratioTable('bare')}\n`,
)
console.log(`With the parsed event, relative to the same + \`JSON.parse\`:\n\n${await ratioTable('parsed')}`)
