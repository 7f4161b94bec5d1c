import { defineCommand } from '../command.ts'

/** `formwire __check-update`: saves the latest version for the next notice. Runs in the background, at most once a day. */
export const checkUpdate = defineCommand({
  examples: [['formwire __check-update', 'look up the latest version']],
  exits: [],
  async run({ runtime }) {
    const [{ latestVersion, registryOf }, { saveLatest }] = await Promise.all([
      import('../update/registry.ts'),
      import('../update/notice.ts'),
    ])
    const latest = await latestVersion(registryOf(runtime)).catch(() => undefined)
    if (latest !== undefined) saveLatest(runtime, latest)
  },
})
