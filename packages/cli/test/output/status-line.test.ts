import { describe, expect, it } from 'vitest'
import { Output } from '../../src/output/output.ts'
import type { Runtime } from '../../src/runtime.ts'

/** Returns what a terminal shows, line by line: `\r` and the erasure of a line are the only sequences. */
function shown(text: string): string[] {
  const lines = text.split('\n')
  return lines.map((line) => line.slice(line.lastIndexOf('\r\u001b[2K') + 1).replace('\u001b[2K', ''))
}

/** An output whose two streams are one terminal, and what it shows. */
function terminal(columns = 80) {
  let text = ''
  const stream = {
    isTTY: true,
    columns,
    write(more: string, done?: () => void) {
      text += more
      done?.()
      return true
    },
  }
  const runtime = { env: {}, stdout: stream, stderr: stream } as unknown as Runtime
  const output = new Output(runtime, { json: false, quiet: false, noColour: true })
  return { output, lines: () => shown(text) }
}

describe('the status line', () => {
  it('has what is waited for, then the progress', () => {
    const { output, lines } = terminal()
    output.progress('100 of 300 responses')
    output.waiting('retrying in 2 s')
    expect(lines()).toEqual(['retrying in 2 s · 100 of 300 responses'])
    output.waiting('')
    expect(lines()).toEqual(['100 of 300 responses'])
    output.clearProgress()
    expect(lines()).toEqual([''])
  })

  it('stays below notes and announcements', () => {
    const { output, lines } = terminal()
    output.progress('1 of 2')
    output.note('a note')
    output.announce('event', 'an announcement')
    expect(lines()).toEqual(['a note', 'an announcement', '1 of 2'])
  })

  it('never mixes with rows on the same terminal', async () => {
    const { output, lines } = terminal()
    output.progress('1 of 3')
    await output.line('row 1')
    output.progress('2 of 3')
    await output.write('[{"id":2}')
    output.progress('3 of 3')
    expect(output.showsProgress).toBe(false)
    await output.write(']\n')
    expect(lines()).toEqual(['row 1', '[{"id":2}]', ''])
  })

  it('is cut to the width, with room for the ^C of an interruption, so that it can be erased', () => {
    const { output, lines } = terminal(16)
    output.progress('rate limited; retrying in 3 s')
    expect(lines()).toEqual(['rate limited…'])
  })
})
