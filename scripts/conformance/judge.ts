import type { Case } from '../../packages/reference-server/test/conformance/case.ts'
import { DOORS } from '../../packages/reference-server/test/conformance/case.ts'
import type { NamedTest } from './collect.ts'
import { needsCase, type Rule } from './rules.ts'

const SERVER = 'packages/reference-server/'
const CLIENTS = ['packages/sdk/', 'packages/cli/', 'packages/webhook-verify/']

/** What is wrong with the matrix; empty when every rule is proven. */
export function judge(rules: readonly Rule[], cases: readonly Case[], tests: readonly NamedTest[]): string[] {
  const known = new Set(rules.map(({ id }) => id))
  const provenIn = (id: string, folders: readonly string[]): boolean =>
    tests.some(
      (test) =>
        !test.skipped && test.rules.includes(id) && folders.some((folder) => test.file.startsWith(folder)),
    )
  return [
    ...rules
      .filter((rule) => needsCase(rule) && !cases.some((one) => one.rules.includes(rule.id)))
      .map(({ id }) => `${id}: no conformance case (packages/reference-server/test/conformance/*.case.ts)`),
    ...rules
      .filter(({ id, owner }) => owner !== 'client' && !provenIn(id, [SERVER]))
      .map(({ id }) => `${id}: no test of the reference server`),
    ...rules
      .filter(({ id, owner }) => owner !== 'server' && !provenIn(id, CLIENTS))
      .map(({ id }) => `${id}: no test of sdk, cli or webhook-verify`),
    ...tests.flatMap(({ rules: ids, title, file }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${id}: no such rule, named by "${title}" in ${file}`),
    ),
    ...tests.filter(({ skipped }) => skipped).map(({ title, file }) => `skipped: "${title}" in ${file}`),
    ...cases.flatMap(({ title, leftOut = {} }) =>
      DOORS.filter((door) => leftOut[door] !== undefined && leftOut[door].trim() === '').map(
        (door) => `door "${door}" left out without a reason: "${title}"`,
      ),
    ),
    ...cases
      .filter(({ leftOut = {} }) => DOORS.every((door) => leftOut[door] !== undefined))
      .map(({ title }) => `runs on no door: "${title}"`),
  ]
}
