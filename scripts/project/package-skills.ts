import { cp } from 'node:fs/promises'
import { join } from 'node:path'

/** The skill that each package contains in `dist/skills`, for agents of its users, by its folder. The command line contains all of them. */
export const PACKAGE_SKILLS: Readonly<Record<string, string>> = {
  sdk: 'read-formwire-responses',
  sync: 'read-formwire-responses',
  'webhook-verify': 'receive-formwire-webhooks',
  'reference-server': 'test-formwire-integration',
}

/** Returns the last step of the build of a package: it copies its skill. */
export const copySkill = (folder: string) => async (): Promise<void> => {
  const path = join('skills', PACKAGE_SKILLS[folder] as string)
  const root = join(import.meta.dirname, '../..')
  await cp(join(root, path), join(root, 'packages', folder, 'dist', path), { recursive: true })
}
