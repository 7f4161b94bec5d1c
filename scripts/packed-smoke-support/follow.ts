import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTutorial } from '../tutorials/run.ts'
import type { Recipe } from './pages.ts'
import type { Registry } from './registry.ts'
import { run } from './run.ts'

/**
 * Goes through steps in an empty folder. npm and npx are the real ones, and get our packages from a registry of the tarballs.
 * @throws Error if a command fails, or prints something else than the page shows
 */
export async function follow({ name, steps }: Recipe, work: string, registry: Registry): Promise<void> {
  if (!steps.some(({ kind }) => kind === 'commands')) throw new Error(`${name} has no commands to follow`)
  const variables = await npmVariables(join(work, 'npm', name), registry)
  await runTutorial(steps, variables).catch((error) => {
    throw new Error(`${name}: ${error.message}`, { cause: error })
  })
  console.log(`${name}: passed ${steps.length} steps`)
}

/** Returns the settings of npm: our scope is in the registry, and other packages come from the cache of the machine. */
async function npmVariables(folder: string, { url }: Registry): Promise<Record<string, string>> {
  mkdirSync(folder, { recursive: true })
  const settings = await run('npm', ['config', 'get', 'cache', 'globalconfig', 'userconfig'], folder)
  const { cache, globalconfig, userconfig } = Object.fromEntries(
    settings.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)),
  )
  // Of its own, because npx keeps what it has installed by name and version; but what was downloaded is shared.
  mkdirSync(join(cache, '_cacache'), { recursive: true })
  symlinkSync(join(cache, '_cacache'), join(folder, '_cacache'))
  const own = join(folder, 'npmrc')
  const { NO_PROXY, no_proxy = NO_PROXY } = process.env
  writeFileSync(
    own,
    `${existsSync(globalconfig) ? readFileSync(globalconfig, 'utf8') : ''}
@formwire:registry=${url}
noproxy=${[no_proxy, '127.0.0.1'].filter(Boolean).join(',')}
prefer-offline=true
audit=false
fund=false
`,
  )
  return {
    npm_config_cache: folder,
    npm_config_globalconfig: own,
    npm_config_userconfig: userconfig,
    npm_config_update_notifier: 'false',
    // A page shows no warning about a setting of this machine.
    npm_config_loglevel: 'error',
  }
}
