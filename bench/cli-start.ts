/**
 * Measures the start of `formwire` relative to `node -e 0`. Needs a build:
 * `npx -y pnpm@12 build && npx -y pnpm@12 exec tsx --conditions=@formwire/source bench/cli-start.ts`.
 */
import { fileURLToPath } from 'node:url'
import { createReferenceServer } from '@formwire/reference-server'
import { startTimes } from './support/start-times.ts'

const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 21)
const bin = fileURLToPath(new URL('../packages/cli/dist/bin.js', import.meta.url))

/** Commands and the largest acceptable ratios. */
const GOALS: Readonly<Record<string, number>> = { '--version': 1.4, '--help': 1.8, 'forms list': 2.9 }

const server = createReferenceServer({ seed: 'demo', limits: 'off' })
const { url } = await server.listen({ port: 0 })
const commands = Object.keys(GOALS).map((command) => [bin, ...command.split(' ')])
const [base = 0, ...times] = await startTimes([['-e', '0'], ...commands], ROUNDS, {
  FORMWIRE_BASE_URL: url,
  FORMWIRE_API_KEY: server.writeKey,
})
await server.close()

for (const [index, [command, goal]] of Object.entries(GOALS).entries()) {
  const ratio = (times[index] ?? 0) / base
  const verdict = ratio <= goal ? 'met' : 'MISSED'
  console.log(`formwire ${command.padEnd(12)} ${ratio.toFixed(2)} ×  goal ${goal}: ${verdict}`)
}
