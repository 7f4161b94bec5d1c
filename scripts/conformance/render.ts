import {
  type Case,
  TRANSPORTS,
} from '../../packages/reference-server/test/conformance/every-transport/case.ts'
import type { NamedTest } from './collect.ts'
import { AREAS, type Rule } from './rules.ts'

export const TABLE_FILE = 'packages/reference-server/test/conformance/every-transport.cases.test.ts'

/** The matrix as Markdown: each rule with what proves it and over which transports. */
export function render(rules: readonly Rule[], cases: readonly Case[], tests: readonly NamedTest[]): string {
  const lines = [
    '# Conformance',
    '',
    `${rules.length} rules, ${cases.length} conformance cases over ${TRANSPORTS.length} transports (${TRANSPORTS.join(', ')}).`,
    'A case runs over every transport unless a reason is given. (U) marks [unspecified behaviour](decisions/).',
  ]
  for (const [prefix, heading] of AREAS) {
    lines.push('', `## ${heading}`)
    for (const rule of rules.filter(({ id }) => id.startsWith(`${prefix}-`)))
      lines.push(...renderRule(rule, cases, tests))
  }
  return `${lines.join('\n')}\n`
}

function renderRule(
  { id, owner, statement }: Rule,
  cases: readonly Case[],
  tests: readonly NamedTest[],
): string[] {
  const own = cases
    .filter(({ rules }) => rules.includes(id))
    .map((one) => `- ${one.title} — ${transportsOf(one)}`)
  const files = new Set(
    tests.filter(({ rules, file }) => file !== TABLE_FILE && rules.includes(id)).map(({ file }) => file),
  )
  const provenBy = {
    server: '',
    client: ' Proven by the clients.',
    both: ' Proven by the server and the clients.',
  }[owner]
  return [
    '',
    `### ${id}`,
    '',
    `${statement}${provenBy}`,
    ...(own.length > 0 ? ['', ...own] : []),
    ...(files.size > 0 ? ['', 'Other tests:', '', ...[...files].sort().map((file) => `- \`${file}\``)] : []),
  ]
}

function transportsOf({ leftOut = {} }: Case): string {
  const open = TRANSPORTS.filter((transport) => leftOut[transport] === undefined)
  const reasons = TRANSPORTS.flatMap((transport) =>
    leftOut[transport] === undefined ? [] : [`not ${transport}: ${leftOut[transport]}`],
  )
  return [open.length === TRANSPORTS.length ? 'all transports' : open.join(', '), ...reasons].join('; ')
}
