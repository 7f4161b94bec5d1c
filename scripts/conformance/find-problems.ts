import type { Case } from '../../packages/reference-server/test/conformance/every-transport/case.ts'
import type { NamedTest } from './collect.ts'
import { needsCase, type Rule } from './rules.ts'

const SERVER = 'packages/reference-server/'
const CLIENTS = ['packages/sdk/', 'packages/cli/', 'packages/webhook-verify/']

/** Returns what is wrong with the matrix; an empty list when every rule is proven. */
export function findProblems(
  rules: readonly Rule[],
  cases: readonly Case[],
  tests: readonly NamedTest[],
): string[] {
  const known = new Set(rules.map(({ id }) => id))
  const provenIn = (id: string, folders: readonly string[]): boolean =>
    tests.some((test) => test.rules.includes(id) && folders.some((folder) => test.file.startsWith(folder)))
  return [
    ...rules
      .filter((rule) => needsCase(rule) && !cases.some((one) => one.rules.includes(rule.id)))
      .map(
        ({ id }) =>
          `${id}: no conformance case (packages/reference-server/test/conformance/every-transport/)`,
      ),
    ...rules
      .filter(({ id, owner }) => owner !== 'client' && !provenIn(id, [SERVER]))
      .map(({ id }) => `${id}: no test of the reference server`),
    ...rules
      .filter(({ id, owner }) => owner !== 'server' && !provenIn(id, CLIENTS))
      .map(({ id }) => `${id}: no test of sdk, cli or webhook-verify`),
    ...tests.flatMap(({ rules: ids, title, file }) =>
      ids
        .filter((id) => !known.has(id))
        .map((id) => `${id}: unknown rule in the title "${title}" in ${file}`),
    ),
  ]
}
