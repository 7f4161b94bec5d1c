import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/all-commands.ts'
import { readRest, readWords } from '../src/command-line/words.ts'

/** Returns `--json` as a command line has it, the command that it names, and its arguments. */
function read(line: string) {
  const words = readWords(line.split(' '), COMMANDS)
  const { command } = words
  if (!command) throw new Error(`${line} names no command`)
  return [words.global.json, [...command.path, ...readRest(words, command).args].join(' ')]
}

describe('--json=FIELDS', () => {
  it.each([
    ['forms list --json=title', 'title', 'forms list'],
    ['forms list --json=nosuch', 'nosuch', 'forms list'],
    ['forms get --json F', true, 'forms get F'],
    ['forms get --json=id,title F', 'id,title', 'forms get F'],
    ['--json=id --json forms get F', 'id', 'forms get F'],
    ['responses tail --json email', true, 'responses tail email'],
    ['responses tail F --json=answer.nps', 'answer.nps', 'responses tail F'],
    ['responses delete F --json=id 12', 'id', 'responses delete F 12'],
    ['listen --json=event -- node app.js', 'event', 'listen node app.js'],
    ['listen -- node app.js --json=event', undefined, 'listen node app.js --json=event'],
    ['serve --json=x', undefined, 'serve --json=x'],
  ])('%s', (line, json, words) => {
    expect(read(line)).toEqual([json, words])
  })
})
