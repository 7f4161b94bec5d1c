#!/usr/bin/env node
import { version } from './version.ts'

const argv = process.argv.slice(2)
const [first = ''] = argv

// The two questions that need nothing loaded. Whoever pipes them into `head` may stop reading.
if (argv.length === 1 && first === '--version') answer(`${version}\n`)
else if (argv.length === 1 && (first === '--help' || first === '-h')) {
  void import('./root-help.ts').then(({ ROOT_HELP }) => answer(ROOT_HELP))
} else void import('./process.ts').then(({ runProcess }) => runProcess(argv))

function answer(text: string): void {
  process.stdout.on('error', () => undefined)
  process.stdout.write(text)
}
