import { expect, it } from 'vitest'
import { PLAIN_PENS } from '../../src/output/pens.ts'
import { prepareWidths } from '../../src/output/width.ts'
import { detailLines } from '../../src/ui/live-details.ts'

const KEY = 'svc_0123456789abcdef'

it('[AUTH-02] removes secrets and control characters from facts, texts and bodies, also where they would be wrapped', () => {
  const details = detailLines(
    {
      item: {},
      facts: () => [{ header: 'Note', text: () => `\u001b[2Jno hunter42 and ${KEY}` }],
      texts: ['authorization: Bearer hunter42'],
      body: { json: { name: 'hunter42', key: KEY } },
    },
    ['hunter42'],
    PLAIN_PENS,
  )
  expect(details(80)).toEqual([
    'Note  [2Jno [redacted] and svc_[redacted]',
    '',
    'authorization: Bearer [redacted]',
    '',
    '{',
    '  "name": "[redacted]",',
    '  "key": "svc_[redacted]"',
    '}',
  ])
  expect(details(14).join('')).not.toMatch(/hunter|0123|abcdef/)
  const text = detailLines({ item: {}, facts: () => [], body: { text: `one\n${KEY}` } }, [], PLAIN_PENS)
  expect(text(80)).toEqual(['', 'one', 'svc_[redacted]'])
})

it('[AUTH-02] removes secrets that control characters or the escapes of JSON disguise', () => {
  const disguised = 'hun\u202eter\u000742'
  const details = detailLines(
    {
      item: {},
      facts: () => [{ header: 'Note', text: () => disguised }],
      texts: [`authorization: ${disguised}`],
      body: { json: { [disguised]: disguised, quoted: 'a "b" \\c', tab: 'a\tb' } },
    },
    ['hunter42', 'a "b" \\c'],
    PLAIN_PENS,
  )
  expect(details(80)).toEqual([
    'Note  [redacted]',
    '',
    'authorization: [redacted]',
    '',
    '{',
    '  "hunter\\u000742": "[redacted]",',
    '  "quoted": "[redacted]",',
    '  "tab": "a\\tb"',
    '}',
  ])
})

it('lays out the start of a very long body, and says how much is left out', async () => {
  await prepareWidths(['你'])
  const shown = (body: Parameters<typeof detailLines>[0]['body']) =>
    detailLines({ item: {}, facts: () => [], body }, [], PLAIN_PENS)(80)
  const value = shown({ json: { name: '你好'.repeat(500_000), next: 1 } })
  expect(value.length).toBeLessThan(600)
  expect(value.slice(-3)).toEqual(['  … 980,011 more characters', '  "next": 1', '}'])
  expect(shown({ text: '你'.repeat(1_000_000) }).at(-1)).toBe('… 980,000 more characters')
  expect(shown({ text: '你\n'.repeat(1_000_000) }).at(-1)).toBe('… 990,000 more lines')
  const many = shown({ json: Array.from({ length: 100_000 }, () => '你好') })
  expect(many.at(-1)).toBe('… 90,001 more lines')
})

it('has facts as they are each time', () => {
  let status = 'pending'
  const details = detailLines(
    { item: {}, facts: () => [{ header: 'Status', text: () => status }], body: { json: {} } },
    [],
    PLAIN_PENS,
  )
  expect(details(80)).toEqual(['Status  pending', '', '{}'])
  status = 'delivered'
  expect(details(80)).toEqual(['Status  delivered', '', '{}'])
})
