import type { OptionSpec } from '../command.ts'

/** `--admin-token`, for throwaway servers only: other processes can read a command line. */
export const ADMIN_TOKEN: OptionSpec = {
  flags: '--admin-token <token>',
  description: 'admin token of a throwaway server (default: FORMWIRE_ADMIN_TOKEN)',
}

/** The option of every command that uses the control API. */
export interface AdminTokenOption {
  adminToken?: string
}
