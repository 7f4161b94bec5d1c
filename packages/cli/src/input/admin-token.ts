import type { OptionSpec } from '../command.ts'

/** `--admin-token`, for throwaway servers only: other processes can read a command line. */
export const ADMIN_TOKEN = {
  name: 'admin-token',
  value: 'token',
  description: 'admin token of a throwaway server',
  default: 'FORMWIRE_ADMIN_TOKEN',
} as const satisfies OptionSpec
