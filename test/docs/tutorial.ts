/** Runs tutorials with the sources of this repository in place of packages from npm: `packed-smoke` runs them with real packages. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../scripts/project/project.ts'
import { type Printed, runTutorial } from '../../scripts/tutorials/run.ts'
import type { Step } from '../../scripts/tutorials/steps.ts'
import { binaryOf } from '../acceptance/support.ts'

/** Runs the steps of a tutorial. @throws Error if a command fails, or if a program still runs at the end */
export function runFromSources(steps: readonly Step[]): Promise<Printed[]> {
  const environmentOf = (folder: string): Record<string, string> => {
    const shims = join(folder, 'bin')
    writeShims(shims)
    return {
      PATH: `${shims}${delimiter}${process.env.PATH}`,
      // The packages that a tutorial installs are the sources.
      NODE_OPTIONS: `--conditions=@formwire/source --import ${pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href}`,
    }
  }
  return runTutorial(steps, environmentOf)
}

/** Replaces npm: packages are those of this repository, and a program runs only after its package was installed. */
function writeShims(folder: string): void {
  mkdirSync(folder)
  // As a child, like npm's npx: ending npx alone leaves the program running.
  const commandOf = (name: 'cli' | 'reference-server'): string => `'${process.execPath}' '${binaryOf(name)}'`
  const installed = (name: string): string =>
    `[ -e node_modules/@formwire/${name} ] || { echo "@formwire/${name} is not installed" >&2; exit 1; }`
  const npx = `#!/bin/bash
program=$1; shift
case $program in
  formwire) ${installed('cli')}; NODE_OPTIONS= ${commandOf('cli')} "$@" ;;
  formwire-server) ${installed('reference-server')}; NODE_OPTIONS= ${commandOf('reference-server')} "$@" ;;
  *) "$PWD/node_modules/.bin/$program" "$@" ;;
esac
exit $?
`
  const npm = `#!/bin/bash
set -e
export NODE_OPTIONS=
program() { printf '#!/bin/bash\\nNODE_OPTIONS= exec %s "$@"\\n' "$2" > "node_modules/.bin/$1"; chmod +x "node_modules/.bin/$1"; }
if [ "$1" = init ]; then echo '{ "type": "commonjs" }' > package.json; exit; fi
[ "$1" = install ] || { echo "npm $1 is not part of a tutorial" >&2; exit 1; }
shift
for package in "$@"; do
  case $package in
    --save-dev) continue ;;
    @formwire/*) source='${root}packages/'\${package#@formwire/} ;;
    *) source=$(ls -d '${root}node_modules/'"$package" '${root}'packages/*/node_modules/"$package" 2>/dev/null | head -1) ;;
  esac
  [ -e "$source/package.json" ] || { echo "no package $package" >&2; exit 1; }
  mkdir -p "node_modules/$(dirname "$package")" node_modules/.bin
  case $package in
    @formwire/cli) program formwire "${commandOf('cli')}" ;;
    @formwire/reference-server) program formwire-server "${commandOf('reference-server')}" ;;
  esac
  ln -sfn "$source" "node_modules/$package"
  bin=$(node -p "JSON.stringify(Object.entries(require('$source/package.json').bin ?? {}))")
  node -e "for (const [name, path] of $bin) require('fs').symlinkSync('$source/' + path, 'node_modules/.bin/' + name)" 2>/dev/null || true
done
`
  for (const [name, text] of Object.entries({ npm, npx }))
    writeFileSync(join(folder, name), text, { mode: 0o755 })
}
