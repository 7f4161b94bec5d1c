import { expect, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { node22 } from '../../../../test/support/node-22.ts'
import { startProgram } from '../../../../test/support/spawn.ts'
import { describeOnPostgres } from '../support/describe-on-postgres.ts'
import { pg } from '../support/postgres-server.ts'

describeOnPostgres((serverUrl) => {
  it('keeps the queues in a schema of their own on Node 22', async () => {
    const program = await bundled(new URL('../process/engine-worker.ts', import.meta.url))
    const { finished } = startProgram(node22, [program, serverUrl()], {})
    expect(await finished).toMatchObject({ code: 0, stdout: '{"hello":"world"}\n', stderr: '' })
    const client = new pg.Client({ connectionString: serverUrl() })
    await client.connect()
    const { rows } = await client.query(`SELECT name FROM formwire_queue.queue WHERE name = 'greetings'`)
    await client.end()
    expect(rows).toEqual([{ name: 'greetings' }])
  })
})
