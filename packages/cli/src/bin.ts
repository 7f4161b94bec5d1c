#!/usr/bin/env node
import { version } from './version.ts'

const argv = process.argv.slice(2)

// The most frequent question of scripts, answered before anything is loaded.
if (argv.length === 1 && argv[0] === '--version') process.stdout.write(`${version}\n`)
else void import('./process.ts').then(({ runProcess }) => runProcess(argv))
