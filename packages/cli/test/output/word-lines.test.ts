import { expect, it } from 'vitest'
import { wordLines } from '../../src/output/pens.ts'

it.each([
  ['it does not exist: see formwire forms list', ['it does not exist: see', 'formwire forms list']],
  [
    'resume it: formwire deliveries resume guestvoice01 7',
    ['resume it:', 'formwire deliveries resume guestvoice01 7'],
  ],
  [
    'run formwire login --profile staging; then go on',
    ['run', 'formwire login --profile staging;', 'then go on'],
  ],
  ['start over: formwire sync guestvoice01 --once', ['start over:', 'formwire sync guestvoice01 --once']],
  ['see formwire types xdoGJclE8HFD --check', ['see', 'formwire types xdoGJclE8HFD --check']],
  ['log it, then run: ls -la a-folder-with-a-name', ['log it, then run:', 'ls -la a-folder-with-a-name']],
])('never breaks a command of "%s"', (text, lines) => {
  expect(wordLines(text, 24)).toEqual(lines)
})
