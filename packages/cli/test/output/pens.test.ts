import { expect, it } from 'vitest'
import { loadPens, type Pen, PLAIN_PENS } from '../../src/output/pens.ts'

it('a pen writes its text once, also as the function of map', async () => {
  const pens = await loadPens(1)
  const names = Object.keys(PLAIN_PENS) as Pen[]
  for (const name of names) expect(['text'].map(pens[name])).toEqual([pens[name]('text')])
  expect(['5 forms'].map(pens.dim)).toEqual(['\u001b[2m5 forms\u001b[22m'])
})
