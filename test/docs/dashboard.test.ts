import { describe, expect, it } from 'vitest'
import { exposition } from '../../packages/cli/src/sync/metrics.ts'
import { parseExposition } from '../../packages/cli/test/support/exposition.ts'
import { read } from '../../scripts/project/project.ts'

/** The labels of each metric that a fleet exports. */
async function exported(): Promise<Map<string, Set<string>>> {
  const form = { id: 'a', workspace_id: '1', rows: 1, lag_seconds: 1, last_synced_at: null, last_error: null }
  const at = '2026-11-21T12:00:00.000Z'
  const status = {
    workspace_id: '1',
    is_started: true,
    rounds: 1,
    round_ended_at: at,
    up_to_date_at: at,
    expected_by: at,
    outage: null,
    failing_forms: 1,
    errors: { rate_limited: 1 },
    changes: { inserted: 1, updated: 1, deleted: 1 },
    requests: { sent: 1, free: 1 },
  }
  const text = await exposition({
    workspaces: [{ workspace: '1', status, forms: [form] }],
    queue: { queued: 1, active: 1, retrying: 1, failed: 1, oldest_seconds: 1 },
    isDatabaseUp: true,
    isReady: true,
    version: '1.0.0',
  })
  return new Map(
    Object.entries(parseExposition(text)).map(([name, { values }]) => [
      name,
      new Set([...(Object.keys(values)[0] ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label as string)),
    ]),
  )
}

const namesIn = (text: string): string[] => [...new Set(text.match(/formwire_sync_\w+/g))].toSorted()

/** Labels that an expression names: in selectors, and after `by`. */
const labelsIn = (expression: string): string[] => [
  ...[...expression.matchAll(/(\w+)=~?"/g)].map(([, label]) => label as string),
  ...[...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => (list as string).split(', ')),
]

interface Dashboard {
  panels: { title: string; type: string; targets: { expr: string; legendFormat: string }[] }[]
}

describe('docs/dashboards/formwire-sync.json', () => {
  const text = read('docs/dashboards/formwire-sync.json')
  const { panels } = JSON.parse(text) as Dashboard
  const targets = panels.flatMap((panel) => panel.targets)

  it('shows each metric that is exported, and no other', async () => {
    const used = new Set(targets.flatMap(({ expr }) => namesIn(expr)))
    expect([...used].toSorted()).toEqual([...(await exported()).keys()].toSorted())
    expect(namesIn(text)).toEqual([...used].toSorted())
  })

  it('uses labels that the metrics of each expression have', async () => {
    const labels = await exported()
    for (const { expr, legendFormat } of targets) {
      const known = new Set(namesIn(expr).flatMap((name) => [...(labels.get(name) ?? [])]))
      const legend = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label as string)
      for (const label of [...labelsIn(expr), ...legend])
        expect([expr, [...known]]).toEqual([expr, expect.arrayContaining([label])])
    }
  })

  it('uses rates of counters, and never the values of their total', async () => {
    for (const { expr } of targets)
      for (const name of namesIn(expr).filter((one) => one.endsWith('_total')))
        expect(expr).toMatch(new RegExp(`(?:rate|increase)\\(${name}\\{[^}]*\\}\\[5m\\]\\)`))
  })
})

describe('docs/how-to/watch-a-sync.md', () => {
  const page = read('docs/how-to/watch-a-sync.md')

  it('describes each metric with its labels', async () => {
    const rows = [...page.matchAll(/^\| `(formwire_sync_\w+)` \| ([^|]*)\|/gm)]
    const described = rows.map(([, name, labels]) => [name, (labels?.match(/\w+/g) ?? []).toSorted()])
    const known = [...(await exported())].map(([name, labels]) => [name, [...labels].toSorted()])
    expect(described.toSorted()).toEqual(known.toSorted())
  })

  it('has alerts on metrics that are exported', async () => {
    const [, rules = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
    const names = namesIn(rules)
    expect(names.length).toBeGreaterThan(3)
    expect([...(await exported()).keys()]).toEqual(expect.arrayContaining(names))
  })
})
