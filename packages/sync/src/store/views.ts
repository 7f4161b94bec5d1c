import type { Answer } from '@formwire/contract'
import { quoteName } from '../database/dialect.ts'
import type { Session } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { pauseMs } from '../failures.ts'
import { type KnownResponse, sortKey } from '../rows/row.ts'
import { addColumns, columnsOf, missing } from './questions.ts'
import { type FormScope, type FullView, keyOfKind } from './scope.ts'
import { OF_FORM } from './statements.ts'
import { answersViewName, viewName } from './view-names.ts'

/** Columns of a view at most. PostgreSQL allows 1,600. */
const MAX_COLUMNS = 1_000

/** Milliseconds that a write waits for programs that use a view. */
const WRITE_WAIT_MS = 100

/** Milliseconds that the end of a round waits for them, in all; all others that want to use a view wait behind it. */
export const ROUND_WAIT_MS = 1_000

/** Failed attempts after which writes try less and less often. */
const QUICK_ATTEMPTS = 2

/** A view as it is to be. */
interface View {
  name: string
  columns: readonly string[]
  query: string
}

/**
 * Runs a transaction that may store columns of a form, after which its view follows.
 *
 * A write stores the columns that its answers need, and the view follows: in SQLite in the same transaction. In PostgreSQL, programs that
 * read a view hold it until their transaction ends, so the view is changed after the write, and tried again until nobody holds it. What is
 * missing is found by comparing the view with the stored columns. Columns are only ever added at the end, so that views of yours that use a
 * view, and its owner, grants and comments, stay.
 */
export async function writeWithView<Result, Transaction>(
  scope: FormScope<Transaction>,
  work: (session: Session, transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const { store, formId, view, onViewFull } = scope
  let full: FullView | undefined
  const { known } = view
  let result: Result
  try {
    result = await store.transaction(formId, async (session, transaction) => {
      const result = await work(session, transaction)
      // Those that are in the database now.
      if (!view.known) {
        const columns = await columnsOf(scope, session)
        view.known = new Set(columns.map(keyOfKind))
        if (onViewFull && columns.length > MAX_COLUMNS) {
          const leftOut = columns.slice(MAX_COLUMNS).map(({ id }) => id)
          full = { formId, answersView: answersViewName(await nameOf(scope, session)), leftOut }
        }
      }
      return result
    })
  } catch (error) {
    // It was rolled back.
    view.known = undefined
    throw error
  }
  if (store.dialect.findViewOptions && view.known !== known) {
    view.pending ??= { attempts: 0, retryAt: 0, isRunning: false, isOutdated: true }
    view.pending.isOutdated = true
  }
  if (full && full.leftOut.length > view.saidLeftOut) {
    view.saidLeftOut = full.leftOut.length
    onViewFull?.(full)
  }
  await followView(scope)
  return result
}

/**
 * Changes the view of a form if it lacks something. Other writes do not wait for that.
 *
 * @param waitMs how long to wait for programs that use it, whenever it was tried last; without it, only if it is time to try
 */
export async function followView<Transaction>(scope: FormScope<Transaction>, waitMs?: number): Promise<void> {
  const { view, now } = scope
  const { pending } = view
  if (!pending || pending.isRunning || (waitMs === undefined && pending.retryAt > now())) return
  pending.isRunning = true
  try {
    let isDone = true
    while (isDone && pending.isOutdated) {
      pending.isOutdated = false
      isDone = await changeViews(scope, waitMs ?? WRITE_WAIT_MS)
    }
    if (isDone) {
      view.pending = undefined
      return
    }
    pending.isOutdated = true
    pending.attempts += 1
    const slow = pending.attempts - QUICK_ATTEMPTS
    pending.retryAt = slow > 0 ? now() + pauseMs(undefined, slow, Math.random) : 0
  } catch (error) {
    pending.isOutdated = true
    throw error
  } finally {
    pending.isRunning = false
  }
}

/** Whether the columns of some answers are known to be stored. */
export function showsAll<Transaction>({ view }: FormScope<Transaction>, answers: readonly Answer[]): boolean {
  return view.known !== undefined && Array.isArray(answers) && missing(view.known, [answers]).length === 0
}

/** Stores the columns of the answers of some responses, in the order in which these were submitted. Views show no drafts. */
export async function storeColumns<Transaction>(
  scope: FormScope<Transaction>,
  session: Session,
  responses: readonly KnownResponse[],
): Promise<void> {
  const { known } = scope.view
  const submitted = responses.filter(({ status }) => status !== 'in_progress')
  if (known && missing(known, submitted.map(answersOf)).length === 0) return
  // Forgotten until the transaction is committed: it may be rolled back.
  scope.view.known = undefined
  await addColumns(scope, session, missing(known, submitted.sort(bySubmission).map(answersOf)))
  if (!scope.store.dialect.findViewOptions) await replaceViews(scope, session)
}

/** Creates the views of a form in SQLite, or replaces those that are not as they are to be. A table of another program stays. */
async function replaceViews<Transaction>(scope: FormScope<Transaction>, session: Session): Promise<void> {
  for (const { name, query } of await viewsOf(scope, session)) {
    const statement = `CREATE VIEW ${quoteName(name)} AS ${query}`
    const [found] = await session.query('SELECT type, sql FROM sqlite_master WHERE name = ?', [name])
    if (found && (found.type !== 'view' || found.sql === statement)) continue
    if (found) await session.query(`DROP VIEW ${quoteName(name)}`)
    await session.query(statement)
  }
}

/** Gives the views of a form what they lack, each in a transaction of its own, also if one cannot be changed. Returns whether nothing is left. */
async function changeViews<Transaction>(scope: FormScope<Transaction>, waitMs: number): Promise<boolean> {
  const { store, formId } = scope
  const { dialect } = store
  let isNew = false
  let current = ''
  /** Views that stay as they are. */
  const left = new Set<string>()
  const changeOne = async (session: Session): Promise<boolean> => {
    for (const { name, columns, query } of await viewsOf(scope, session)) {
      if (left.has(name)) continue
      current = name
      const shown = new Set((await session.query(dialect.listColumns, [name])).map((row) => row.name))
      isNew = shown.size === 0
      if (!isNew && columns.every((column) => shown.has(column))) continue
      // Without them, the view would lose its options.
      const [found] = await session.query(String(dialect.findViewOptions), [name])
      const options = found ? ` WITH (${String(found.options)})` : ''
      const view = dialect.qualified(quoteName(name))
      await session.query(`CREATE OR REPLACE VIEW ${view}${options} AS ${query}`)
      return isNew
    }
    return false
  }
  for (;;) {
    try {
      // A new view may not be the only one that is missing.
      while (await store.transaction(`view ${formId}`, changeOne, { waitMs }));
      return left.size === 0
    } catch (error) {
      if (error instanceof StoreError && (error.isPassing || error.code === 'closed')) return false
      if (isNew ? !isNameTaken(error) : !isOfOthers(error)) throw error
      if (left.has(current)) return false
      left.add(current)
    }
  }
}

/** Returns the name of the view of a form, which is noted before the view is created. */
async function nameOf<Transaction>(
  { store, names, key }: FormScope<Transaction>,
  { query }: Session,
): Promise<string> {
  const [view] = await query(`SELECT name FROM ${names.views} WHERE ${OF_FORM}`, key)
  if (view) return String(view.name)
  const used = new Set<string>()
  const isTaken = async (one: string): Promise<boolean> =>
    (await query(store.dialect.findRelation, [one])).length > 0
  for (;;) {
    const name = viewName(key[0], used, store.dialect.maxNameBytes)
    if (!(await isTaken(name)) && !(await isTaken(answersViewName(name)))) {
      const sql = `INSERT INTO ${names.views} (form_id, workspace_id, name) VALUES (?, ?, ?)`
      await query(sql, [...key, name])
      return name
    }
    used.add(name.toLowerCase())
  }
}

/** Returns the views of a form: one with a row an answer, and one with a column a question. */
async function viewsOf<Transaction>(scope: FormScope<Transaction>, session: Session): Promise<View[]> {
  const { answer, chosen, literal, timestamp, walk } = scope.store.dialect
  const name = await nameOf(scope, session)
  const questions = (await columnsOf(scope, session)).slice(0, MAX_COLUMNS)
  const columns = questions.map((one) => `,\n  ${answer(one)} AS ${quoteName(one.name)}`)
  const [id, workspaceId] = scope.key
  const rows =
    `WHERE r.form_id = ${literal(id)} AND r.workspace_id = ${literal(workspaceId)} ` +
    `AND r.status = 'submitted' AND r.deleted_at IS NULL`
  const from = `FROM ${scope.names.responses} AS r`
  const answers = `SELECT r.id AS response_id, ${chosen.columns}\n${from}\n${chosen.joins}\n${rows}`
  const shown = `SELECT r.id AS id, ${timestamp('r.submitted_at')} AS submitted_at${columns.join('')}`
  const walked = questions.length > 0 ? `${walk}\n` : ''
  return [
    { name: answersViewName(name), columns: ANSWER_COLUMNS, query: answers },
    {
      name,
      columns: questions.map((one) => one.name),
      query: `${shown}\n${from}\n${walked}${rows}`,
    },
  ]
}

/** The columns of the view with a row an answer. */
const ANSWER_COLUMNS = ['response_id', 'question_id', 'type', 'option_id', 'value', 'text']

const answersOf = ({ answers }: KnownResponse): KnownResponse['answers'] => answers

/** The order of submission; of the same instant, that of the ids. */
function bySubmission(one: KnownResponse, other: KnownResponse): number {
  const [first, second] = [sortKey(one.submitted_at ?? ''), sortKey(other.submitted_at ?? '')]
  if (first === second) return one.id - other.id
  return first < second ? -1 : 1
}

/** Errors of PostgreSQL: the columns of the view are others; it is not a view any more; it has another owner. */
const OF_OTHERS = ['42P16', '42809', '42501']

/** Whether another program has changed the view, which is then left as it is. */
function isOfOthers(error: unknown): boolean {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown }
  return error instanceof StoreError ? isOfOthers(cause) : OF_OTHERS.includes(String(code))
}

/** Whether another form of another process took the name at the same time. */
function isNameTaken(error: unknown): boolean {
  return ['42P07', '23505'].includes(String((Object(error) as { code?: unknown }).code))
}
