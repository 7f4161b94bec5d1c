import { checkReceiver } from '@formwire/webhook-verify/testing'
import { receive } from './deno-bun.ts'
import { saved } from './responses.ts'

export async function problemsOfMyReceiver(): Promise<string[]> {
  const report = await checkReceiver({ fetch: receive, secret: 'whsec_test', handled: () => saved.length })
  return report.checks.filter(({ passed }) => passed === false).map(({ name, hint }) => `${name}: ${hint}`)
}
