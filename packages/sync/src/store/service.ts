import type { Session, SyncStore } from '../database/driver.ts'
import { StoreError } from '../errors.ts'
import { namesOf } from './names.ts'
import { insertSql } from './statements.ts'

/** A service, and the URL that it had before. */
export interface ServiceUrls {
  url: string
  movedFrom: string | undefined
}

/** Returns the service that the rows of a workspace come from, if the tables note one. */
export async function serviceOf(
  session: Pick<Session, 'query'>,
  { dialect }: Pick<SyncStore, 'dialect'>,
  workspaceId: string,
): Promise<string | undefined> {
  const sql = `SELECT service FROM ${namesOf(dialect).workspaces} WHERE workspace_id = ?`
  const [row] = await session.query(sql, [workspaceId])
  return row && String(row.service)
}

/**
 * Notes which service the rows of a workspace come from, unless the tables note one.
 *
 * @throws StoreError `other_workspace` if it is another service, whose workspace of the same id has other rows
 */
export async function noteService<Transaction>(
  store: SyncStore<Transaction>,
  workspaceId: string,
  { url, movedFrom }: ServiceUrls,
): Promise<void> {
  const { workspaces } = namesOf(store.dialect)
  await store.transaction('service', async (session) => {
    const before = await serviceOf(session, store, workspaceId)
    if (before === url) return
    if (before === undefined)
      await session.query(insertSql(workspaces, ['workspace_id', 'service'], 1), [workspaceId, url])
    else if (before === movedFrom)
      await session.query(`UPDATE ${workspaces} SET service = ? WHERE workspace_id = ?`, [url, workspaceId])
    else
      throw new StoreError(
        `The rows of workspace ${workspaceId} come from the service at ${before}, and the client uses the one at ${url}; the database was left as it was. Use another database or schema. If the service has moved, accept that with "movedFrom": "${before}" (--moved-from ${before} in the command line).`,
        'other_workspace',
      )
  })
}
