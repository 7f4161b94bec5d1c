import { afterEach, expect, inject, it } from 'vitest'
import { node22 } from '../../../../test/support/node-22.ts'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { type Finished, startProgram } from '../../../../test/support/spawn.ts'
import { describeOnPostgres } from '../../../sync/test/support/describe-on-postgres.ts'
import { QueuePlaces } from '../../../sync/test/support/queue-places.ts'

describeOnPostgres((serverUrl) => {
  let places: QueuePlaces | undefined
  afterEach(async () => {
    await places?.close()
  })

  const inbox = (...argv: string[]): Promise<Finished> =>
    startProgram(node22, [inject('programs').cli, 'inbox', ...argv, '--queue', serverUrl()], {
      NO_COLOR: '1',
    }).finished

  it('lists and shows dead responses, and retries or deletes them', async () => {
    places = await QueuePlaces.start(serverUrl())
    const { service, form } = places
    const [first, second, third] = service.add(form, 3) as [number, number, number]
    const here = places
    // A response has the attempts of what has queued it.
    here.open(['poll'], { attempts: 2 })
    const failing = here.open(['work'], { failing: [first, second, third], attempts: 2 })
    await expect.poll(() => here.call('list', 'dead'), { timeout: WAIT_MS }).toHaveLength(3)
    failing.child.kill('SIGTERM')
    await failing.finished

    const { stdout, stderr } = await inbox('list')
    const lines = stdout
      .trimEnd()
      .split('\n')
      .sort((a, b) => Number(a.split('\t')[2]) - Number(b.split('\t')[2]))
    const isLine = new RegExp(
      `^[\\da-f-]{36}\\t${form}\\t\\d\\tpoll\\t2\\t[^\\t]+Z\\t[^\\t]+Z\\tError: mail server down$`,
    )
    expect(lines).toEqual([1, 2, 3].map(() => expect.stringMatching(isLine)))
    expect(stderr).toBe('')
    const [one, two, three] = lines.map((line) => line.split('\t')[0]) as [string, string, string]

    const shown = await inbox('show', one)
    const state = ['state dead', 'source poll', 'attempts 2', ''].map((line) => line.replace(' ', '\t'))
    expect(shown.stdout).toContain(state.join('\n'))
    const shownLines = ['error\tError: mail server down', 'answer.nps\t0', 'answer.colour\tRed', '']
    expect(shown.stdout).toContain(shownLines.join('\n'))
    const json = JSON.parse((await inbox('show', one, '--json')).stdout)
    expect(json).toMatchObject({
      id: one,
      response_id: first,
      response: { id: first, answers: expect.any(Array) },
    })
    expect(await inbox('show', 'nope')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('not found'),
    })

    const stable = await inbox('show', `${form}/${first}`, '--json=id')
    expect(stable.stdout).toBe(`{"id":"${one}"}\n`)
    expect((await inbox('show', `${form}/999`)).code).toBe(3)
    expect(await inbox('list', '--name', 'other')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('has no queue "other" in the schema "formwire_queue"'),
    })

    expect(await inbox('drop', two)).toMatchObject({ code: 2, stdout: '' })
    expect(await inbox('drop', two, 'nope', '--yes')).toEqual({
      code: 3,
      signal: null,
      stdout: '',
      stderr: [
        'deleted 1 response from the queue',
        'formwire: 1 dead response not found: nope',
        '  see formwire inbox list',
        '',
      ].join('\n'),
    })
    expect(await inbox('retry', `${form}/${first}`, '--json')).toMatchObject({
      code: 0,
      stdout: '{"retried":1}\n',
      stderr: '',
    })
    expect((await inbox('list', '--state', 'pending', '--json=response_id')).stdout).toBe(
      `[{"response_id":${first}}]\n`,
    )
    expect((await inbox('retry', '--all')).stderr).toBe('queued 1 response again\n')
    const gone = await inbox('retry', three, `${form}/${third}`)
    expect(gone.code).toBe(3)
    expect(gone.stderr).toContain(`2 dead responses not found: ${three}, ${form}/${third}`)
    expect((await inbox('drop', '--all', '--yes', '--json')).stdout).toBe('{"dropped":0}\n')

    here.open(['work'])
    await here.untilHandled([first, third])
    expect(here.handledIds()).toEqual([first, third])
    await expect
      .poll(async () => (await inbox('list', '--state', 'handled', '--json=response_id')).stdout, {
        timeout: WAIT_MS,
      })
      .toContain(`{"response_id":${third}}`)
    expect(await inbox('list')).toMatchObject({ code: 0, stdout: '', stderr: 'no dead responses found\n' })
  })
})
