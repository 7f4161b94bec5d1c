#!/usr/bin/env node
import { version } from './version.ts'

const argv = process.argv.slice(2)
const [first = ''] = argv

// Both are printed without loading anything else. The reader, such as `head`, may close the pipe early.
if (argv.length === 1 && /^(?:--version|-v|version)$/.test(first)) print(`${version}\n`)
else if (argv.length === 0 || (argv.length === 1 && /^(?:--help|-h|help)$/.test(first))) {
  void import('./root-help.ts').then(({ ROOT_HELP }) => print(ROOT_HELP))
} else void import('./process.ts').then(({ runProcess }) => runProcess(argv))

function print(text: string): void {
  process.stdout.on('error', () => undefined)
  process.stdout.write(text)
}
