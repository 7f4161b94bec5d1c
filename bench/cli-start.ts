/**
 * Measures the start of `formwire` relative to `node -e 0`. Needs a build:
 * `npx -y pnpm@12 build && npx -y pnpm@12 exec tsx --conditions=@formwire/source bench/cli-start.ts`.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createReferenceServer } from '@formwire/reference-server'

const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 21)
const bin = fileURLToPath(new URL('../packages/cli/dist/bin.js', import.meta.url))

/** A command and the largest acceptable ratio. */
interface Case {
  name: string
  args: string[]
  goal: number
}

const CASES: readonly Case[] = [
  { name: 'node -e 0', args: ['-e', '0'], goal: 1 },
  { name: 'formwire --version', args: [bin, '--version'], goal: 1.4 },
  { name: 'formwire --help', args: [bin, '--help'], goal: 1.8 },
  { name: 'formwire forms list', args: [bin, 'forms', 'list'], goal: 2.7 },
]

const server = createReferenceServer({ seed: 'demo', limits: 'off' })
const { url } = await server.listen({ port: 0 })
const env: Record<string, string | undefined> = {
  ...process.env,
  FORMWIRE_BASE_URL: url,
  FORMWIRE_API_KEY: server.writeKey,
  // It triples the start of bare node and would flatter every ratio.
  NODE_EXTRA_CA_CERTS: undefined,
}

/** Milliseconds from spawn to exit. */
function run(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const child = spawn(process.execPath, [...args], {
      env: env as unknown as NodeJS.ProcessEnv,
      stdio: 'ignore',
    })
    child.on('exit', (code) => {
      if (code === 0) resolve(performance.now() - startedAt)
      else reject(new Error(`node ${args.join(' ')} exited with ${code}`))
    })
  })
}

/** Returns the 10th percentile, since other processes only add time. */
const fastest = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 10)] ?? 0

// The commands take turns in every round, so that other processes affect all of them.
const times = CASES.map((): number[] => [])
for (let round = 0; round < ROUNDS + 2; round += 1) {
  for (const [index, { args }] of CASES.entries()) {
    const ms = await run(args)
    if (round >= 2) times[index]?.push(ms)
  }
}
await server.close()

const base = fastest(times[0] ?? [])
for (const [index, { name, goal }] of CASES.entries()) {
  const ratio = fastest(times[index] ?? []) / base
  const verdict = index === 0 ? '' : ratio <= goal ? `goal ${goal}: met` : `goal ${goal}: MISSED`
  console.log(`${name.padEnd(22)} ${ratio.toFixed(2)} ×  ${verdict}`)
}
