import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { type CliOptions, runCli } from './run-cli.ts'
import { PARTY, type Service, testService } from './service.ts'

/** A seed that was written, as far as tests look into it. */
export interface Written {
  source: { scrubbed: unknown; kept?: string[]; since?: string }
  workspaces: {
    forms: { id: string; responses: { id: number; email?: string; answers: { value: unknown }[] }[] }[]
  }[]
}

export const readSeed = (file: string): Written => JSON.parse(readFileSync(file, 'utf8'))

/** A service, and an empty directory with the path of a seed. */
export async function seedService(): Promise<{ service: Service; directory: string; file: string }> {
  const directory = temporaryDirectory()
  return { service: await testService({ limits: 'off' }), directory, file: join(directory, 'seed.json') }
}

/** Runs `formwire seed`. */
export const runSeed = ({ env }: Service, argv: readonly string[], options: CliOptions) =>
  runCli(['seed', ...argv], { env: { ...env, NO_COLOR: '1' }, ...options })

/** Adds responses to the party, a second apart. */
export function fill({ server }: Service, count: number, from = 1e12): void {
  for (let made = 0; made < count; made += 1)
    server.app.responses.create(PARTY, {
      answers: [],
      submitted_at: new Date(from + made * 1000).toISOString(),
    })
}
