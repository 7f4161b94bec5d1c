import { expect, it } from 'vitest'
import { ROOT_HELP } from '../src/root-help.ts'
import { runCli } from './support/run-cli.ts'

it('formwire --help is ready made and says what the grammar says', async () => {
  const { stdout } = await runCli(['--help'], { terminal: 80 })
  expect(ROOT_HELP).toBe(stdout)
})
