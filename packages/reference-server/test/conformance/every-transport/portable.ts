import type { Form } from '@formwire/contract'
import { RULE_CASES } from '../../../src/conformance/index.ts'
import { Probe } from '../../../src/conformance/probe.ts'
import { ELSEWHERE, FORM, KEYS } from '../seed.ts'
import type { World } from '../world.ts'
import type { Case } from './case.ts'

/** Portable cases that do not run over msw, by title, with the reason. */
const NOT_OVER_MSW: Readonly<Record<string, string>> = {
  'closes a published form, refuses its public link, and opens it again':
    'the URL of a form names the server, which msw does not intercept',
}

/** The cases that also run against any deployment (`formwire conformance`), run here with every option set. */
export const portableCases: readonly Case[] = RULE_CASES.map(({ rules, title, run }) => ({
  rules,
  title,
  ...(NOT_OVER_MSW[title] === undefined ? {} : { leftOut: { msw: NOT_OVER_MSW[title] } }),
  run: async (world) => run(await contextOf(world)),
}))

async function contextOf({ fetch, baseUrl, server, api }: World): Promise<Parameters<RunCase>[0]> {
  const probe = new Probe({
    baseUrl,
    apiKey: KEYS.write,
    fetch,
    wait: async (milliseconds) => void (await server.clock.advance(milliseconds)),
  })
  return {
    probe,
    form: (await api('GET', `/forms/${FORM}`)).json.data as Form,
    options: {
      readKey: KEYS.read,
      foreignFormId: ELSEWHERE,
      expendableResponseId: 1,
      expendableForm: true,
      webhookUrl: 'http://127.0.0.1:9/conformance',
      addressRules: 'development',
    },
  }
}

type RunCase = (typeof RULE_CASES)[number]['run']
