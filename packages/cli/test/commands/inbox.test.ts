import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { isSupported } from '../../../sync/src/engine/boss.ts'
import { runCli } from '../support/run-cli.ts'

const fleet = join(temporaryDirectory(), 'fleet.json')
writeFileSync(fleet, '{"workspaces":[{"name":"main","apiKeyEnv":["KEY_A"],"baseUrl":"http://127.0.0.1:9"}]}')

it
  .skipIf(isSupported(process.versions.node))
  .each(['inbox list --queue postgres --json', `sync --json --fleet ${fleet}`])(
  '%s fails with a code of its own on an older Node',
  async (line) => {
    const env = { KEY_A: 'svc_hush', FORMWIRE_DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    const { code, stderr } = await runCli(line, { env })
    expect(code).toBe(1)
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'database_unsupported_node',
      message: `queues on PostgreSQL require Node 22.12 or newer; this is Node ${process.versions.node}`,
    })
  },
)
