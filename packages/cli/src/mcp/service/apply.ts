import { open, unlink } from 'node:fs/promises'
import { EXIT } from '../../exit.ts'
import { Failure, fileFailure } from '../../failure.ts'
import { countOf } from '../../output/progress.ts'
import type { Session } from '../session.ts'
import type { Change, Deletion } from './change.ts'
import { endpointRow, formRow, type Service } from './service.ts'

/** Makes a change that the user has confirmed. @throws the errors of the client */
export async function applyChange({ context }: Session, service: Service, change: Change): Promise<unknown> {
  const { client, options, clean } = service
  switch (change.action) {
    case 'close':
    case 'reopen':
      return { changed: true, form: formRow(clean(await client.forms[change.action](change.form, options))) }
    case 'rename':
      return {
        changed: true,
        form: formRow(clean(await client.forms.rename(change.form, change.title, options))),
      }
    case 'create_endpoint': {
      const { secret, ...endpoint } = await createEndpoint(service, change)
      context.hide(secret)
      return { changed: true, endpoint: endpointRow(clean(endpoint)), secret_file: change.secretFile }
    }
    case 'delete_responses':
    case 'delete_endpoints':
      return await deleteAll(service, change)
  }
}

/**
 * Creates an endpoint and saves its secret, which the service shows once, in a new file that only its owner can read. The file is
 * opened first: if it cannot be, nothing is created.
 */
async function createEndpoint(
  { client, options: { signal } }: Service,
  { form, url, secretFile }: Extract<Change, { action: 'create_endpoint' }>,
) {
  signal.throwIfAborted()
  // A new file: nothing is overwritten, and no link is followed.
  const file = await open(secretFile, 'wx', 0o600).catch((error: unknown) => {
    throw fileFailure(`write ${secretFile}`, error, 'nothing was created; give another secret_file')
  })
  try {
    // Without the signal of the call: the secret of an endpoint that was created would be lost.
    const endpoint = await client.webhooks.create(form, { url })
    await file.writeFile(endpoint.secret).catch((error: unknown) => {
      throw new Failure(`created webhook endpoint ${endpoint.id}, but could not save its secret`, {
        exitCode: EXIT.failed,
        code: 'secret_not_saved',
        hint: 'rotate its secret in the app, which shows the new one',
        cause: error,
      })
    })
    return endpoint
  } catch (error) {
    await unlink(secretFile).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
}

async function deleteAll({ client, options }: Service, { action, form, ids }: Deletion) {
  const resource = action === 'delete_responses' ? client.responses : client.webhooks
  const deleted: number[] = []
  const missing: number[] = []
  try {
    for (const id of ids) {
      try {
        await resource.delete(form, id, options)
        deleted.push(id)
      } catch (error) {
        // Somebody else has deleted it since the preview.
        if ((error as { status?: number }).status !== 404) throw error
        missing.push(id)
      }
    }
  } catch (error) {
    if (deleted.length === 0) throw error
    throw new Failure(`deleted ${deleted.length} of ${countOf(ids.length, 'item')} before it failed`, {
      exitCode: EXIT.failed,
      code: 'incomplete',
      hint: 'preview the others again',
      details: { deleted, missing },
      cause: error,
    })
  }
  return { changed: deleted.length > 0, deleted, missing }
}
