import { expect, it } from 'vitest'
import { ROOT_HELP } from '../src/root-help.ts'
import { runCli } from './support/run-cli.ts'

it('the text of the fast path is what formwire --help prints', async () => {
  const { stdout } = await runCli(['--help'], { terminal: 80 })
  expect(ROOT_HELP).toBe(stdout)
})
