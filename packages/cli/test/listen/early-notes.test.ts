import { beforeEach, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { runCli } from '../support/run-cli.ts'
import { PARTY, type Service, SURVEY, testService } from '../support/service.ts'

let service: Service
beforeEach(async () => {
  service = await testService({ limits: { webhooksPerForm: 1 } })
})

/** Starts `listen` with a live view, whose second endpoint is refused. */
const listen = (errorTerminal: boolean) => {
  const argv = ['listen', '--form', PARTY, '--form', SURVEY, '--view', 'live', '--no-color']
  const env = { ...service.env, HOME: temporaryDirectory() }
  // A reply makes stdin a terminal.
  return runCli(argv, { env, reply: '', terminal: 100, errorTerminal })
}
const created = `created temporary endpoint 2 on form ${PARTY}; it is deleted on exit`

it('prints what it kept for a live view if it fails before the view opens', async () => {
  const { code, stderr } = await listen(true)
  const [progress, ...printed] = stderr.split('\r\u001b[2K').slice(1)
  expect(progress).toBe(created)
  expect(printed.join('')).toMatch(new RegExp(`^${created}\\n✗ .*already has 1 webhook`))
  expect(code).not.toBe(0)
})

it('prints it at once where stderr is no terminal', async () => {
  expect((await listen(false)).stderr).toMatch(new RegExp(`^${created}\\n.*already has 1 webhook`))
})
