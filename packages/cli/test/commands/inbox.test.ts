import { describe, expect, it } from 'vitest'
import { isSupported } from '../../../sync/src/engine/boss.ts'
import { runCli } from '../support/run-cli.ts'

const inbox = (...argv: string[]) => runCli(['inbox', ...argv], { env: { NO_COLOR: '1' } })

describe('formwire inbox', () => {
  it.skipIf(isSupported(process.versions.node))('fails with a code of its own on an older Node', async () => {
    const { code, stderr } = await inbox('list', '--queue', 'postgres://127.0.0.1:1/none', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'database_unsupported_node',
      message: `queues on PostgreSQL require Node 22.12 or newer; this is Node ${process.versions.node}`,
    })
  })
})
