import { describe, expect, it } from 'vitest'
import { colourLevel } from '../../src/output/colour-level.ts'
import { isCi } from '../../src/output/output.ts'
import { loadPens, type Pen, PLAIN_PENS, statusPen } from '../../src/output/pens.ts'

describe('colour', () => {
  it.each([
    ['a terminal', {}, true, false, 1],
    ['a pipe', {}, false, false, 0],
    ['NO_COLOR on a terminal', { NO_COLOR: '1' }, true, false, 0],
    ['an empty NO_COLOR, which is ignored', { NO_COLOR: '' }, true, false, 1],
    ['TERM=dumb', { TERM: 'dumb' }, true, false, 0],
    ['FORCE_COLOR on a pipe', { FORCE_COLOR: '1' }, false, false, 1],
    ['FORCE_COLOR=0 on a terminal', { FORCE_COLOR: '0' }, true, false, 0],
    ['FORCE_COLOR with NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, false, 1],
    ['CLICOLOR=0 on a terminal', { CLICOLOR: '0' }, true, false, 0],
    ['CLICOLOR=1 on a pipe', { CLICOLOR: '1' }, false, false, 0],
    ['CLICOLOR_FORCE on a pipe', { CLICOLOR_FORCE: '1' }, false, false, 1],
    ['CLICOLOR_FORCE=0 on a pipe', { CLICOLOR_FORCE: '0' }, false, false, 0],
    ['CLICOLOR_FORCE with CLICOLOR=0', { CLICOLOR_FORCE: '1', CLICOLOR: '0' }, false, false, 1],
    ['CLICOLOR_FORCE with NO_COLOR', { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, true, false, 0],
    ['--no-color with FORCE_COLOR on a terminal', { FORCE_COLOR: '1' }, true, true, 0],
  ] as const)('resolves the level for %s', (_name, env, isTerminal, flag, level) => {
    expect(colourLevel(env, isTerminal, flag)).toBe(level)
  })
  it.each([
    ['published', 'green'],
    ['pending', 'yellow'],
    ['failed', 'red'],
    ['draft', 'dim'],
    ['closed', 'dim'],
  ])('shows %s like the console, in %s', (status, pen) => {
    expect(statusPen(status)).toBe(pen)
  })
  it('[ENV-04] does not colour an unknown status', () => {
    expect(statusPen('hibernating')).toBeUndefined()
  })
})

it('a pen writes its text once, also as the function of map', async () => {
  const pens = await loadPens(1)
  const names = Object.keys(PLAIN_PENS) as Pen[]
  for (const name of names) expect(['text'].map(pens[name])).toEqual([pens[name]('text')])
  expect(['5 forms'].map(pens.dim)).toEqual(['\u001b[2m5 forms\u001b[22m'])
})

it.each([
  [{}, false],
  [{ CI: 'true' }, true],
  [{ CI: '' }, true],
  [{ CI: '0' }, false],
  [{ CI: 'false' }, false],
  [{ CI: 'false', CONTINUOUS_INTEGRATION: '1' }, true],
])('tells continuous integration by %o: %s', (env, expected) => {
  expect(isCi(env)).toBe(expected)
})
