import { UNSPECIFIED } from '@formwire/reference-server'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { runCli } from '../support/run-cli.ts'
import { SURVEY, startService } from '../support/service.ts'

/** The first value of a key is its default: one deployment has those of all keys, each other one differs from it in one value. */
const single = Object.entries(UNSPECIFIED).flatMap(([key, values], index) =>
  values.slice(index === 0 ? 0 : 1).map((value) => [key, value] as const),
)

/** Every command that calls the API, with its exit code on every deployment. */
const SESSION: readonly (readonly [argv: readonly string[], code: number])[] = [
  [['whoami', '--json'], 0],
  [['forms', 'list', '--json'], 0],
  [['forms', 'get', SURVEY, '--json'], 0],
  [['forms', 'rename', SURVEY, 'Survey 2', '--json'], 0],
  [['forms', 'rename', SURVEY, 'x'.repeat(1_100_000)], 1],
  [['forms', 'close', SURVEY], 0],
  [['forms', 'reopen', SURVEY], 0],
  [['forms', 'get', 'nosuchform00'], 3],
  [['responses', 'list', SURVEY, '--json'], 0],
  [['responses', 'get', SURVEY, '1', '--json'], 0],
  [['responses', 'export', SURVEY], 0],
  [['responses', 'delete', SURVEY, '1', '--yes'], 0],
  [['responses', 'get', SURVEY, '1'], 3],
  [['webhooks', 'create', SURVEY, 'http://127.0.0.1:9/new', '--json'], 0],
  [['webhooks', 'create', SURVEY, 'ftp://127.0.0.1/x'], 1],
  [['webhooks', 'list', SURVEY, '--json'], 0],
  [['webhooks', 'delete', SURVEY, '1', '--yes', '--json'], 0],
]

const homeDir = temporaryDirectory()

describe('the CLI on every deployment that the service document allows', () => {
  it.each(single)('[ENV-04] works with %s: %s', async (key, value) => {
    const { server, env } = await startService({ unspecified: { [key]: value }, limits: 'off' })
    try {
      const outputs: Record<string, string> = {}
      for (const [argv, expected] of SESSION) {
        const { code, stdout, stderr } = await runCli(argv, { env, homeDir })
        expect([argv.slice(0, 3), code, stderr.slice(0, 500)]).toEqual([
          argv.slice(0, 3),
          expected,
          expected === 0 ? expect.any(String) : expect.stringContaining('formwire: '),
        ])
        outputs[`${argv[0]} ${argv[1]}`] = stdout
      }
      expect(JSON.parse(outputs['responses list'] as string)).toMatchObject([{ id: 2 }, { id: 1 }])
      expect(outputs['responses export']).toContain('Fast,')
      expect(JSON.parse(outputs['webhooks delete'] as string)).toMatchObject({ id: 1, deleted: true })
    } finally {
      await server.close()
    }
  })
})
