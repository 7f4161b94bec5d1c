import type { Tone } from '@formwire/internal/status-tone'
import { defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import type { Check } from '../doctor/checks.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { Failure } from '../failure.ts'
import { MAX_TEXT_COLUMNS } from '../output/output.ts'
import { hanging, markOf } from '../output/pens.ts'
import { countOf } from '../output/progress.ts'
import { safeLine } from '../output/text-safety.ts'
import { version } from '../version.ts'

/** `formwire doctor` */
export const doctor = defineCommand({
  path: ['doctor'],
  summary: 'check versions, configuration, server, key and clock',
  description:
    'Checks the versions, the configuration, whether the server can be reached, the key, and whether the clock of this ' +
    'machine agrees with that of the server. Sends two requests and changes nothing. When piped, prints tab-separated: ' +
    'check, status, message, advice. Exits with 0 only when there is no fault; with several, an unreachable server (6) ' +
    'comes before the key (4), and that before all others (1).',
  examples: {
    'formwire doctor': 'find out why a command fails',
    'formwire doctor --profile staging --json': 'check the profile "staging", for a bug report or a script',
  },
  exits: [1, 3, 4, 5, 6],
  fields: ['ok', 'checks'],
  async run(context) {
    const checks = await allChecks(context)
    const faults = checks.filter(({ status }) => status === 'fault')
    if (context.output.json)
      await context.output.document({ ok: faults.length === 0, checks: checks.map(shown) })
    else await print(context, checks)
    if (faults.length === 0) return
    throw new Failure(`${countOf(faults.length, 'fault')}: ${faults.map(({ name }) => name).join(', ')}`, {
      exitCode: exitCodeOf(faults),
      code: 'not_healthy',
    })
  },
})

async function allChecks(context: Context): Promise<Check[]> {
  const { checkConfiguration, checkNode, checkServer } = await import('../doctor/checks.ts')
  const { checks, baseUrl, apiKey, keySource = '', keyProfile } = checkConfiguration(context)
  const remote =
    baseUrl === undefined
      ? ([{ name: 'clock', status: 'skipped', message: 'no server to compare with' }] as const)
      : await checkServer(
          context.runtime,
          baseUrl,
          apiKey === undefined ? undefined : { apiKey, source: keySource, profile: keyProfile },
        )
  const found = [
    { name: 'version', status: 'ok', message: `formwire ${version}` } as const,
    checkNode(process.versions.node),
    ...checks,
    ...remote,
  ]
  return found.sort((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name))
}

const ORDER: readonly Check['name'][] = ['version', 'node', 'configuration', 'server', 'key', 'clock']

const PRECEDENCE: readonly ExitCode[] = [EXIT.unreachable, EXIT.notAllowed, EXIT.rateLimited, EXIT.failed]

function exitCodeOf(faults: readonly Check[]): ExitCode {
  return PRECEDENCE.find((code) => faults.some(({ exitCode }) => exitCode === code)) ?? EXIT.failed
}

/** The members of a check that `--json` prints. */
function shown({ name, status, message, hint }: Check): object {
  return { name, status, message, ...(hint === undefined ? {} : { hint }) }
}

const TONES: Readonly<Record<Check['status'], Tone>> = {
  ok: 'good',
  warning: 'wait',
  fault: 'bad',
  skipped: 'calm',
}
const NAME_WIDTH = 'configuration'.length
/** Columns before a message: a mark, the name and the space after each. */
const INDENT = 2 + NAME_WIDTH + 2

async function print({ output }: Context, checks: readonly Check[]): Promise<void> {
  for (const { name, status, message, hint } of checks) {
    if (!output.isTerminal) {
      await output.line([name, status, message, hint ?? ''].map(safeLine).join('\t'))
      continue
    }
    const head = `${markOf(TONES[status], output.pens)} ${name.padEnd(NAME_WIDTH)}  `
    const columns = Math.min(output.width, MAX_TEXT_COLUMNS)
    const lines = hanging(head, INDENT, safeLine(message), columns)
    if (hint !== undefined) lines.push(...hanging(' '.repeat(INDENT), INDENT, `→ ${safeLine(hint)}`, columns))
    await output.line(lines.join('\n'))
  }
}
