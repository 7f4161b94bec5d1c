import { type Case, DOORS } from '../../packages/reference-server/test/conformance/case.ts'
import type { NamedTest } from './collect.ts'
import type { Rule } from './rules.ts'

const TABLE_FILE = 'packages/reference-server/test/conformance/rest.test.ts'

const AREAS: readonly (readonly [string, string])[] = [
  ['ENV', 'Envelopes and conventions'],
  ['AUTH', 'Authentication and keys'],
  ['RATE', 'Rate limits'],
  ['ME', 'Me'],
  ['FORM', 'Forms'],
  ['RESP', 'Responses and answers'],
  ['POLL', 'Polling'],
  ['HOOK', 'Webhook endpoints'],
  ['DLV', 'Events and deliveries'],
  ['ERR', 'Errors'],
  ['VER', 'Versioning'],
]

/** The matrix as Markdown: each rule with what proves it, and over which doors. */
export function render(rules: readonly Rule[], cases: readonly Case[], tests: readonly NamedTest[]): string {
  const lines = [
    '# Conformance',
    '',
    'Written by `npx -y pnpm@12 conformance` from the titles of the tests; do not edit.',
    '',
    `${rules.length} rules, ${cases.length} conformance cases over ${DOORS.length} doors (${DOORS.join(', ')}), ${tests.length} tests that name a rule.`,
    'A case runs over every door unless it says why not. (U) marks what the service document leaves open: `docs/decisions/`.',
  ]
  for (const [prefix, heading] of AREAS) {
    lines.push('', `## ${heading}`)
    for (const rule of rules.filter(({ id }) => id.startsWith(`${prefix}-`)))
      lines.push(...renderRule(rule, cases, tests))
  }
  return `${lines.join('\n')}\n`
}

function renderRule(
  { id, owner, says }: Rule,
  cases: readonly Case[],
  tests: readonly NamedTest[],
): string[] {
  const own = cases.filter(({ rules }) => rules.includes(id)).map((one) => `- ${one.title} — ${doorsOf(one)}`)
  const others = new Map<string, Set<string>>()
  for (const { rules, file, title } of tests) {
    if (file === TABLE_FILE || !rules.includes(id)) continue
    others.set(file, (others.get(file) ?? new Set()).add(title))
  }
  const files = [...others]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, titles]) => `- \`${file}\`: ${titles.size}`)
  const whose = {
    server: '',
    client: ' Proven by the clients.',
    both: ' Proven by the server and the clients.',
  }[owner]
  return [
    '',
    `### ${id}`,
    '',
    `${says}${whose}`,
    ...(own.length > 0 ? ['', ...own] : []),
    ...(files.length > 0 ? ['', 'Tests beside the cases:', '', ...files] : []),
  ]
}

function doorsOf({ leftOut = {} }: Case): string {
  const open = DOORS.filter((door) => leftOut[door] === undefined)
  const reasons = DOORS.flatMap((door) =>
    leftOut[door] === undefined ? [] : [`not ${door}: ${leftOut[door]}`],
  )
  return [open.length === DOORS.length ? 'all doors' : open.join(', '), ...reasons].join('; ')
}
