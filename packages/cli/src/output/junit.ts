import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { failed, fileProblem, usage } from '../failure.ts'

interface JunitCase {
  className: string
  name: string
  durationMs: number
  /** Why it failed: the first line is the message. */
  failure?: string | undefined
  /** Why it was not run, or why its failure does not count. */
  skipped?: string | undefined
}

/** A report in the format that CI services read. */
export interface JunitSuite {
  name: string
  cases: readonly JunitCase[]
}

export function junitXml({ name, cases }: JunitSuite): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const skipped = cases.filter((each) => each.failure === undefined && each.skipped !== undefined).length
  const time = seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0))
  const counts = `name="${escaped(name)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${time}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite ${counts}>`,
    ...cases.map(caseXml),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function caseXml({ className, name, durationMs, failure, skipped }: JunitCase): string {
  const open = `    <testcase classname="${escaped(className)}" name="${escaped(name)}" time="${seconds(durationMs)}"`
  if (failure !== undefined) {
    const [message = ''] = failure.split('\n')
    return `${open}>\n      <failure message="${escaped(message)}">${escaped(failure)}</failure>\n    </testcase>`
  }
  if (skipped === undefined) return `${open}/>`
  return `${open}>\n      <skipped message="${escaped(skipped)}"/>\n    </testcase>`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** Escapes text. Characters that XML cannot contain become U+FFFD. */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows only three control characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
      .replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character)
  )
}

/** Checks before long work that the report can be written. @throws Failure exit 2 */
export function assertWritable(file: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK)
    if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return
  } catch {
    // Reported below.
  }
  throw usage(`cannot write the report to "${file}"`, 'name a file in an existing folder')
}

/** Writes the report. @throws Failure exit 1 */
export function writeJunit(file: string, suite: JunitSuite): void {
  try {
    writeFileSync(file, junitXml(suite))
  } catch (error) {
    const problem = fileProblem(error) ?? (error as Error).message
    const message = `could not write the report to "${file}": ${problem}`
    throw failed('report_not_written', message, undefined, error)
  }
}
