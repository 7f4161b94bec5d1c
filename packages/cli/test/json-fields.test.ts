import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/all-commands.ts'
import { normalized } from '../src/command-line/words.ts'

/** Returns the fields that a command line names, and its other words. */
function fieldsOf(line: string): { fields: string | undefined; words: string } {
  const argv = normalized(line.split(' '), COMMANDS)
  const option = argv.find((word) => word.startsWith('--json-fields='))
  const words = argv.filter((word) => word !== option && word !== '--json').join(' ')
  return { fields: option?.slice('--json-fields='.length), words }
}

describe('--json FIELDS', () => {
  it.each([
    ['forms list --json title', 'title', 'forms list'],
    ['forms list --json nosuch', 'nosuch', 'forms list'],
    ['forms get --json F', undefined, 'forms get F'],
    ['forms get F --json title', 'title', 'forms get F'],
    ['forms get --json id,title F', 'id,title', 'forms get F'],
    ['responses tail --json email', undefined, 'responses tail email'],
    ['responses tail F --json email', 'email', 'responses tail F'],
    ['responses tail F --json answer.nps', 'answer.nps', 'responses tail F'],
    ['responses tail F --json G', undefined, 'responses tail F G'],
    ['responses delete F --json id 12', 'id', 'responses delete F 12'],
    ['deliveries tail --json status', 'status', 'deliveries tail'],
    ['deliveries tail --json F', undefined, 'deliveries tail F'],
    ['listen --json event -- node app.js', 'event', 'listen -- node app.js'],
    ['open --json url --console', 'url', 'open --console'],
  ])('%s', (line, fields, words) => {
    expect(fieldsOf(line)).toEqual({ fields, words })
  })
  it('is accepted by every command that prints data, except reports and those of other programs', () => {
    const without = COMMANDS.filter(({ fields, hidden }) => !hidden && fields === undefined)
    expect(without.map(({ path }) => path.join(' '))).toEqual([
      'types',
      'sync audit',
      'person find',
      'person erase',
      'receiver check',
      'rehearse',
      'serve',
      'mcp',
      'seed pull',
      'seed check',
      'conformance',
      'completion',
      'version',
    ])
  })
})
