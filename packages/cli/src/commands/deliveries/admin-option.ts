import type { OptionSpec } from '../../command.ts'

/** `--admin-token`: for a throw-away server only, since a command line is no place for a secret that matters. */
export const ADMIN_TOKEN: OptionSpec = {
  flags: '--admin-token <token>',
  description: 'admin token of a throw-away server; else FORMWIRE_ADMIN_TOKEN',
}

/** Options of every command that reads the app's side. */
export interface AdminOptions {
  adminToken?: string
}
