/**
 * Compares `seed pull` with `responses export` of the same form, by processor time per response, and measures the memory of a pull and the time
 * to load its seed.
 *
 *     npx -y pnpm@12 bench pull        # FORMWIRE_BENCH_RESPONSES=1000000 FORMWIRE_BENCH_ROUNDS=1 for a million responses
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReferenceServer, type Seed } from '@formwire/reference-server'
import { createSeedFactory, everyQuestion } from '@formwire/reference-server/testing'
import { runCli } from '../packages/cli/test/support/run-cli.ts'
import { readJsonFile } from '../packages/internal/src/json-file.ts'
import { spawnServer, stop } from './support/spawn-server.ts'
import { median } from './support/statistics.ts'

const RESPONSES = Number(process.env.FORMWIRE_BENCH_RESPONSES ?? 20_000)
const ROUNDS = Number(process.env.FORMWIRE_BENCH_ROUNDS ?? 5)
const FORM = 'survey000001'
/** Of eight questions, as a response of `bench/rest.ts`. */
const TYPES = [
  'short_text',
  'long_text',
  'email',
  'nps',
  'single_choice',
  'multiple_choice',
  'date',
  'address',
]

/** Different responses of the origin, which repeats them. */
const DIFFERENT = Math.min(RESPONSES, 20_000)

const folder = mkdtempSync(join(tmpdir(), 'formwire-bench-'))
const make = await createSeedFactory(1)
const questions = everyQuestion().filter(({ type }) => TYPES.includes(type))
const origin = join(folder, 'origin.json')
writeFileSync(origin, JSON.stringify(make.seed(make.form({ id: FORM, questions, responses: DIFFERENT }))))
const bin = new URL('support/repeated-origin.ts', import.meta.url).pathname
const server = await spawnServer([
  '--conditions=@formwire/source',
  '--import',
  'tsx',
  bin,
  origin,
  FORM,
  String(RESPONSES),
])
const env = { FORMWIRE_BASE_URL: server.line.url, FORMWIRE_API_KEY: server.line.read_key }

let peak = 0
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 50)
/** Most resident memory of each command, in MiB. */
const peaks: Record<string, number> = {}

/** Runs a command, and returns microseconds of processor time per response. */
async function costOf(name: string, argv: readonly string[]): Promise<number> {
  globalThis.gc?.()
  peak = 0
  const before = process.cpuUsage()
  const { code, stderr } = await runCli([...argv, '--quiet'], { env, homeDir: folder })
  const { user, system } = process.cpuUsage(before)
  if (code !== 0) throw new Error(`${argv.join(' ')} exited with ${code}: ${stderr}`)
  peaks[name] = Math.max(peaks[name] ?? 0, Math.round(peak / 2 ** 20))
  return (user + system) / RESPONSES
}

const seed = join(folder, 'seed.json')
const exported: number[] = []
const pulled: number[] = []
const raw: number[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  raw.push(await costOf('raw', ['seed', 'pull', FORM, '--no-scrub', '--out', join(folder, 'raw.json')]))
  pulled.push(await costOf('pull', ['seed', 'pull', FORM, '--out', seed]))
  const all = join(folder, 'all.json')
  exported.push(await costOf('export', ['responses', 'export', FORM, '--format', 'json', '--output', all]))
}
clearInterval(watch)
await stop(server)
const row = (what: string, measured: string): void => console.log(`| ${what} | ${measured} |`)
console.log('| what | measured |\n|---|---|')
row(`responses export, ${RESPONSES} responses`, `${median(exported).toFixed(1)} µs a response`)
row('seed pull / responses export', `${(median(pulled) / median(exported)).toFixed(2)}×`)
row('seed pull --no-scrub / responses export', `${(median(raw) / median(exported)).toFixed(2)}×`)
row(
  'resident memory at most of pull --no-scrub, pull, export',
  `${peaks.raw}, ${peaks.pull}, ${peaks.export} MiB`,
)
row('size of the seed', `${Math.round(statSync(seed).size / RESPONSES)} bytes a response`)
const from = performance.now()
const copy = createReferenceServer({ seed: (await readJsonFile(seed)) as Seed })
await copy.ready
row('load the seed', `${(((performance.now() - from) * 1000) / RESPONSES).toFixed(0)} µs a response`)
await copy.close()
rmSync(folder, { recursive: true })
