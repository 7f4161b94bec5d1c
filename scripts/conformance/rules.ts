import { read } from '../project/project.ts'

/** Who must prove a rule: the reference server, the client packages, or both. */
type Owner = 'server' | 'client' | 'both'

export interface Rule {
  readonly id: string
  readonly owner: Owner
  /** The rule in short. */
  readonly statement: string
}

const PAGE = read('docs/reference/rules.md')
const ROW = /^\| <a id="[a-z]+-\d+"><\/a>([A-Z]+-\d+) \| (.*) \|$/gm

const CLIENT: ReadonlySet<string> = new Set(['ENV-04', 'ENV-10', 'ERR-05', 'POLL-01', 'POLL-02', 'DLV-10'])
const BOTH: ReadonlySet<string> = new Set(['AUTH-02'])

const ownerOf = (id: string): Owner => (CLIENT.has(id) ? 'client' : BOTH.has(id) ? 'both' : 'server')

/** Every rule of the service, in the order of the page that states them. */
export const RULES: readonly Rule[] = [...PAGE.matchAll(ROW)].map(([, id = '', statement = '']) => ({
  id,
  owner: ownerOf(id),
  statement: statement.replaceAll('\\|', '|'),
}))

/** Prefixes of the ids with the headings of the page, in order. */
export const AREAS: readonly (readonly [prefix: string, heading: string])[] = [
  ...PAGE.matchAll(/^## (.+)\n\n\| Rule \|.*\n.*\n\| <a id="([a-z]+)-/gm),
].map(([, heading = '', prefix = '']) => [prefix.toUpperCase(), heading])

/**
 * Rules that need a conformance case, run over every transport. Deliveries do not use one, and the console's URLs are
 * tested in a browser.
 */
export const needsCase = ({ id, owner }: Rule): boolean =>
  owner !== 'client' && !id.startsWith('DLV-') && !['FORM-14', 'HOOK-05', 'HOOK-07', 'HOOK-08'].includes(id)
