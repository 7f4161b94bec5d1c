import { urlOf } from '@formwire/internal/url'
import type { OptionSpec } from '../command.ts'
import { usage } from '../failure.ts'

/** The database that `--to` names. */
export type DatabaseTarget = {
  /** Passwords that must not appear in output. */
  secrets: readonly string[]
} & ({ kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string | undefined })

const EXPECTED = 'use sqlite:PATH or postgres'

/** Parses `--to`. The URL of PostgreSQL comes from the environment, since others can read the command line. @throws Failure exit 2 */
export function parseDatabaseTarget(
  text: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): DatabaseTarget {
  if (text === undefined) throw usage('missing required option --to', EXPECTED)
  if (text.startsWith('sqlite:')) {
    // Also sqlite:///absolute and sqlite://relative, as other programs write them.
    const path = text.slice('sqlite:'.length).replace(/^\/\//, '')
    if (path === '') throw usage('--to sqlite: requires a path', 'for example --to sqlite:responses.db')
    if (path === ':memory:') {
      throw usage(
        '--to sqlite::memory: is lost when the command exits',
        'name a file, for example --to sqlite:responses.db',
      )
    }
    return { kind: 'sqlite', path, secrets: [] }
  }
  const postgres = parsePostgres('--to', text, env)
  if (postgres) return postgres
  // A path may hold anything; a URL of another database, or options of libpq, may hold a password.
  if (/\bpass(?:word|wd)?\s*=/i.test(text)) throw usage('--to must be sqlite:PATH or postgres', EXPECTED)
  const shown = /^[a-z][\w+.-]*:/i.exec(text)?.[0] ?? text
  throw usage(`--to must be sqlite:PATH or postgres, got "${shown}"`, EXPECTED)
}

/** The option for the schema of the tables in PostgreSQL. */
export const SCHEMA_OPTION = {
  name: 'schema',
  value: 'name',
  description: 'schema of the tables in PostgreSQL',
  default: 'the first one of the search path',
} as const satisfies OptionSpec

/** Parses `--to` with the value of {@link SCHEMA_OPTION}. @throws Failure exit 2 */
export function parseTarget(
  { to, schema }: { to?: string | undefined; schema?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): DatabaseTarget {
  const target = parseDatabaseTarget(to, env)
  if (schema === '') throw usage('--schema must not be empty')
  if (schema !== undefined && target.kind === 'sqlite')
    throw usage('--schema requires PostgreSQL', 'use --to postgres, or leave it out')
  return target
}

/** A PostgreSQL database that an option names. */
export type PostgresTarget = Extract<DatabaseTarget, { kind: 'postgres' }>

/**
 * Parses `postgres` or a URL of PostgreSQL without a password. Returns undefined for another text.
 * @throws Failure exit 2 for a password
 */
export function parsePostgres(
  option: string,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): PostgresTarget | undefined {
  const isNamed = text === 'postgres' || text === 'postgresql'
  if (!isNamed && !isPostgresUrl(text)) return undefined
  const url = isNamed ? env.FORMWIRE_DATABASE_URL || undefined : text
  if (url !== undefined && !isPostgresUrl(url))
    throw usage('FORMWIRE_DATABASE_URL must be a URL such as postgres://USER@HOST/DATABASE')
  const password = url && passwordOf(url)
  if (!isNamed && password !== undefined)
    throw usage(
      'a database password must not be on the command line',
      `set FORMWIRE_DATABASE_URL and use ${option} postgres, or set PGPASSWORD or use a .pgpass file`,
    )
  const secrets = [isNamed ? url : undefined, password, env.PGPASSWORD].filter((one) => one !== undefined)
  return { kind: 'postgres', url, secrets: secrets.filter((one) => one !== '') }
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text) && urlOf(text) !== undefined
}

/** Returns the password of a URL, before the host or as a parameter. */
function passwordOf(text: string): string | undefined {
  const url = new URL(text)
  const inParameter = [...url.searchParams].find(([name]) =>
    /^(?:password|passwd|sslpassword)$/i.test(name),
  )?.[1]
  const password = url.password === '' ? inParameter : url.password
  if (password === undefined || password === '') return undefined
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
