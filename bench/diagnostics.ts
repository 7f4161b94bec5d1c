/**
 * What the diagnostics channels cost without a subscriber: processor time of an SDK call, a received delivery and a delivery
 * attempt, relative to the same sources without the publishing code. Nothing is sent: the transport of the SDK and the sender of the
 * engine respond at once, so that small differences show. Both builds run in this process, in short slices in random order.
 *
 *     npx -y pnpm@12 bench diagnostics
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Server from '@formwire/reference-server'
import type * as Sdk from '@formwire/sdk'
import type { verifyWebhook } from '@formwire/webhook-verify'
import type { createReceiver } from '@formwire/webhook-verify/fetch'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { build } from 'esbuild'
import { median, randomFrom, showChange } from './support/statistics.ts'

const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 60)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const random = randomFrom(20_261_122)

/** A change of a source file: path, text, replacement. */
type Edit = readonly [file: string, text: string, replacement: string]

/** Runs some operations, and returns the processor time of one in microseconds. */
type Slice = () => Promise<number>

interface Subject {
  readonly name: string
  /** The module to build. */
  readonly entry: string
  /** Removes the publishing code. */
  readonly without: readonly Edit[]
  /** Applies to both builds. */
  readonly both?: readonly Edit[]
  /** Returns the slice of a build. */
  prepare(module: unknown): Slice
}

async function processorTime(operations: number, run: () => Promise<unknown>): Promise<number> {
  // What other slices left behind is not collected in this one.
  globalThis.gc?.({ type: 'minor' })
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / operations
}

const CALLS = 3_000
const DELIVERIES = 400
const RETRIES = 5
const NOW = Date.parse('2026-11-21T09:30:00Z')

/** The function behind all adapters. */
interface ReceiverModule {
  readonly verifyWebhook: typeof verifyWebhook
  createReceive(
    options: Parameters<typeof createReceiver>[0],
    verify: typeof verifyWebhook,
  ): (read: () => Promise<object>) => Promise<{ status: number }>
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'call of the SDK',
    entry: `export { Formwire } from './packages/sdk/src/index.ts'`,
    without: [
      [
        'packages/sdk/src/http/send.ts',
        'requestStart?.hasSubscribers ? this.#publishStart(observed) : observed',
        'observed',
      ],
      ['packages/sdk/src/http/send.ts', 'if (this.#message) this.#publishEnd(this.#message, outcome)', ''],
    ],
    prepare(module) {
      const { Formwire } = module as typeof Sdk
      const form = { id: 'abcdefghijkl', title: 'Bench', status: 'published', about: 'x'.repeat(900) }
      const headers = new Headers({ 'content-type': 'application/json' })
      const body = JSON.stringify({ data: form })
      const transport = async () => ({ status: 200, headers, body })
      const { forms } = new Formwire({
        apiKey: 'svc_bench',
        baseUrl: 'http://127.0.0.1:9',
        rateLimit: false,
        transport,
      })
      return () =>
        processorTime(CALLS, async () => {
          for (let call = 0; call < CALLS; call += 1) await forms.get('abcdefghijkl')
        })
    },
  },
  {
    name: 'received delivery',
    entry: `export { createReceive } from './packages/webhook-verify/src/adapters/receiver.ts'
      export { verifyWebhook } from './packages/webhook-verify/src/index.ts'`,
    without: [
      [
        'packages/webhook-verify/src/adapters/receiver.ts',
        'await published(event, handle)',
        'await handle()',
      ],
    ],
    prepare(module) {
      const { createReceive, verifyWebhook: verify } = module as ReceiverModule
      const { secret, headers, body } = createDelivery({ timestamp: new Date(NOW) })
      const receive = createReceive(
        { secret, now: NOW, on: { 'response.submitted': () => undefined } },
        verify,
      )
      const bytes = Buffer.from(body)
      const read = async () => ({ headers, body: bytes, url: '/' })
      return () =>
        processorTime(CALLS, async () => {
          for (let call = 0; call < CALLS; call += 1) {
            const { status } = await receive(read)
            if (status !== 200) throw new Error(`The receiver responded with ${status}.`)
          }
        })
    },
  },
  {
    name: 'attempt of the delivery engine',
    entry: `export { createReferenceServer } from './packages/reference-server/src/index.ts'`,
    both: [
      [
        'packages/reference-server/src/delivery/sender.ts',
        `new (await import('./attempt.ts')).AttemptSender(settings)`,
        `(settings, {
          send: (_, done) => queueMicrotask(() => done({ httpStatus: 500, error: 'http_500', receiverAnswer: '' })),
          abandonAll() {},
          close: async () => {},
        })`,
      ],
    ],
    without: [
      [
        'packages/reference-server/src/delivery/engine.ts',
        'attemptStart.hasSubscribers ? messageOf(delivery) : undefined',
        'undefined',
      ],
      ['packages/reference-server/src/delivery/engine.ts', 'if (message) attemptStart.publish(message)', ''],
      [
        'packages/reference-server/src/delivery/engine.ts',
        `if (message) {
        attemptEnd.publish(Object.assign(message, { httpStatus: result.httpStatus, error: result.error }))
      }`,
        '',
      ],
    ],
    prepare(module) {
      const { createReferenceServer } = module as typeof Server
      return async () => {
        const server = createReferenceServer({ clock: 'manual', now: NOW, limits: 'off' })
        const { id } = server.app.forms.create({ title: 'Bench', questions: [] })
        server.app.forms.publish(id)
        const endpoint = await server.app.webhooks.create(id, { url: 'http://127.0.0.1:9' })
        for (let index = 0; index < DELIVERIES; index += 1) {
          server.app.responses.create(id, { answers: [], deliver: true })
        }
        await server.clock.advance(0)
        // Only the retries, without the submissions.
        const time = await processorTime(DELIVERIES * RETRIES, () => server.clock.advance('14.6h'))
        const [newest] = server.app.deliveries.list(id, endpoint.id)
        if (newest?.attempts !== RETRIES + 1) throw new Error(`${newest?.attempts} attempts were made.`)
        await server.close()
        return time
      }
    },
  },
]

/** Bundles a module from the sources, with these changes. @throws if a text to replace is not there */
async function bundled(outfile: string, entry: string, edits: readonly Edit[]): Promise<unknown> {
  const left = new Set(edits)
  await build({
    stdin: { contents: entry, resolveDir: ROOT, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@formwire/source'],
    external: ['esbuild', 'msw', 'undici', 'zod'],
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)})`,
    },
    logLevel: 'error',
    plugins: [
      {
        name: 'edits',
        setup({ onLoad }) {
          onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
            let contents = await readFile(path, 'utf8')
            for (const edit of edits.filter(([file]) => path === join(ROOT, file))) {
              const [, text, replacement] = edit
              if (contents.includes(text)) left.delete(edit)
              contents = contents.replace(text, () => replacement)
            }
            return { contents, loader: 'ts' }
          })
        },
      },
    ],
  })
  for (const [file, text] of left) throw new Error(`${file} does not contain: ${text}`)
  return import(pathToFileURL(outfile).href)
}

async function compare({ name, entry, without, both = [], prepare }: Subject, folder: string): Promise<void> {
  const edits = { built: both, again: both, without: [...both, ...without] }
  const slices = new Map<keyof typeof edits, { slice: Slice; times: number[] }>()
  for (const variant of ['built', 'again', 'without'] as const) {
    const file = join(folder, `${name.replaceAll(' ', '-')}-${variant}.mjs`)
    slices.set(variant, { slice: prepare(await bundled(file, entry, edits[variant])), times: [] })
  }
  const timesOf = (variant: keyof typeof edits): number[] => slices.get(variant)?.times ?? []
  // The first rounds are a warm-up.
  for (let round = -5; round < ROUNDS; round += 1) {
    const order = [...slices.values()].map((one) => [random(), one] as const).sort(([a], [b]) => a - b)
    for (const [, { slice, times }] of order) {
      const time = await slice()
      if (round >= 0) times.push(time)
    }
  }
  const changes = (ours: number[], baseline: number[]): string =>
    showChange(
      ours.map((time, round) => time / (baseline[round] as number) - 1),
      random,
    )
  const cells = [
    name,
    `${median(timesOf('built')).toFixed(2)} µs`,
    `${median(timesOf('without')).toFixed(2)} µs`,
    changes(timesOf('built'), timesOf('without')),
    changes(timesOf('again'), timesOf('built')),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

// Where the dependencies of the server are found.
const folder = await mkdtemp(join(ROOT, 'packages/reference-server/node_modules/.bench-'))
try {
  console.log(`Node ${process.version}, processor time\n
| operation | with the channels | without | change | the same code twice (noise) |
|---|---|---|---|---|`)
  for (const subject of SUBJECTS) await compare(subject, folder)
} finally {
  await rm(folder, { recursive: true })
}
