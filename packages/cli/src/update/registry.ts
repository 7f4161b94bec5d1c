import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sendRequest } from '../http/request.ts'
import type { Runtime } from '../runtime.ts'

const PACKAGE = '@formwire/cli'
const REGISTRY = 'https://registry.npmjs.org'
const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024

/** Returns the npm registry of the user: `npm_config_registry`, `@formwire:registry` or `registry` in `~/.npmrc`, else the public one. */
export function registryOf({ env, homeDir }: Pick<Runtime, 'env' | 'homeDir'>): string {
  if (env.npm_config_registry) return env.npm_config_registry
  let text = ''
  try {
    text = readFileSync(join(homeDir, '.npmrc'), 'utf8')
  } catch {
    // Most users have none.
  }
  const found = [/^\s*@formwire:registry\s*=\s*(\S+)/m, /^\s*registry\s*=\s*(\S+)/m]
    .map((setting) => setting.exec(text)?.[1])
    .find((url) => url !== undefined && URL.canParse(url))
  return found ?? REGISTRY
}

/** Returns the latest version of the package in an npm registry, without any data about the user. @throws the system's error */
export async function latestVersion(registry: string): Promise<string | undefined> {
  const { status, body } = await sendRequest(
    {
      url: `${registry.replace(/\/+$/, '')}/${encodeURIComponent(PACKAGE)}/latest`,
      method: 'GET',
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
    },
    MAX_BYTES,
  )
  if (status !== 200) return undefined
  const { version } = JSON.parse(body.toString()) as { version?: unknown }
  return typeof version === 'string' ? version : undefined
}
