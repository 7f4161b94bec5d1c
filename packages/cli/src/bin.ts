#!/usr/bin/env node
import { version } from './version.ts'

const argv = process.argv.slice(2)
const [first = ''] = argv
/** Columns of the help that is ready; a narrower terminal gets it wrapped. */
const HELP_COLUMNS = 80

// Both are printed without loading anything else. The reader, such as `head`, may close the pipe early.
if (argv.length === 1 && /^(?:--version|-v)$/.test(first)) print(`${version}\n`)
else if (isHelp() && (process.stdout.columns || HELP_COLUMNS) >= HELP_COLUMNS) {
  void import('./root-help.ts').then(({ HELP, colourLevel }) => {
    const { full, bare } = HELP[colourLevel(process.env, process.stdout.isTTY === true, false)]
    print(argv.length === 0 ? bare : full)
  })
} else void import('./process.ts').then(({ runProcess }) => runProcess(argv))

function isHelp(): boolean {
  return argv.length === 0 || (argv.length === 1 && /^(?:--help|-h|help)$/.test(first))
}

function print(text: string): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return
    process.exitCode = 1
    process.stderr.write(`formwire: cannot write the output: ${message}\n`)
  })
  process.stdout.write(text)
}
