import { defineCommand } from '../command.ts'

const REGISTRY = 'https://registry.npmjs.org'

/** `formwire __check-update`: saves the latest version for the next notice. Runs in the background, at most once a day. */
export const checkUpdate = defineCommand({
  examples: [['formwire __check-update', 'look up the latest version']],
  exits: [],
  async run({ runtime }) {
    const [{ latestVersion }, { saveLatest }] = await Promise.all([
      import('../update/registry.ts'),
      import('../update/notice.ts'),
    ])
    const latest = await latestVersion(runtime.env.npm_config_registry || REGISTRY).catch(() => undefined)
    if (latest !== undefined) saveLatest(runtime, latest)
  },
})
