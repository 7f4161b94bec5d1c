import { expect, it } from 'vitest'
import { PLAIN_PENS } from '../../src/output/pens.ts'
import { detailLines } from '../../src/ui/live-details.ts'

const KEY = 'svc_0123456789abcdef'

it('[AUTH-02] removes secrets and control characters from facts, texts and bodies, also where they would be wrapped', () => {
  const details = detailLines(
    {
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
  const text = detailLines({ facts: () => [], body: { text: `one\n${KEY}` } }, [], PLAIN_PENS)
  expect(text(80)).toEqual(['', 'one', 'svc_[redacted]'])
})

it('has facts as they are each time', () => {
  let status = 'pending'
  const details = detailLines(
    { facts: () => [{ header: 'Status', text: () => status }], body: { json: {} } },
    [],
    PLAIN_PENS,
  )
  expect(details(80)).toEqual(['Status  pending', '', '{}'])
  status = 'delivered'
  expect(details(80)).toEqual(['Status  delivered', '', '{}'])
})
