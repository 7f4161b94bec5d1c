import type { Deleted, Form } from '@formwire/contract'
import type { Formwire } from '@formwire/sdk'
import { responseColumns } from '../../columns/responses.ts'
import { defineCommand, firstOf } from '../../command.ts'
import type { Context } from '../../context.ts'
import { type Failure, notFound, usage } from '../../failure.ts'
import { confirmDeletion } from '../../input/ask.ts'
import { idArgument } from '../../input/parse.ts'
import { inputName, readInput } from '../../input/read-input.ts'
import { countOf, grouped, Progress } from '../../output/progress.ts'
import { relativeTime } from '../../output/time.ts'
import { FORM } from '../../pickers/arguments.ts'
import { chooseResponses } from '../../pickers/choose.ts'
import { isMissing } from '../../report.ts'
import type { Runtime } from '../../runtime.ts'

/** `formwire responses delete FORM ID...` */
export const responsesDelete = defineCommand({
  path: ['responses', 'delete'],
  summary: 'delete responses with their answers and files',
  description:
    'Also lowers the response count of the form. This cannot be undone. Prompts for confirmation; without a terminal, ' +
    'pass --yes. Of several responses, those that do not exist are reported, the others are deleted, and the command ' +
    'exits with 3. Requires a write key.',
  arguments: [
    FORM,
    {
      name: '[id...]',
      description: 'ids of the responses',
      choose: chooseResponses,
      unless: ['fromFile'],
    },
  ],
  options: [
    { name: 'dry-run', description: 'print what would be deleted, and delete nothing' },
    {
      name: 'from-file',
      value: 'file',
      description: 'read ids from the first column of this file, one per line; - for stdin',
    },
  ],
  examples: {
    'formwire responses delete guestvoice01 42 --yes': 'delete response 42 without confirmation',
    'formwire responses delete guestvoice01 42 43 --dry-run': 'show what would be deleted',
    'formwire responses list FORM --since 1d --all | formwire responses delete FORM --from-file - --yes':
      'delete the responses of the last day',
  },
  asks: true,
  exits: [1, 3, 4, 5, 6],
  fields: ['id', 'deleted'],
  task: ([form, ...ids]) =>
    ids.length === 1 ? `delete response ${ids[0]} of form ${form}` : `delete responses of form ${form}`,
  async run(context, [formId, given], options) {
    const ids = await readIds(context.runtime, given, options.fromFile)
    if (ids.length === 0) {
      if (context.output.json) await context.output.document([])
      return context.output.note(
        `no response ids in ${inputName(options.fromFile)}: nothing was deleted`,
        'calm',
      )
    }
    const single = ids.length === 1 && options.fromFile === undefined
    if (options.dryRun) return await preview(context, formId, ids)
    await confirmDeletion(context, () => describe(context, formId, ids))
    const client = await context.longClient()
    const result = await deleteAll(context, client, formId, ids, single)
    const { output } = context
    if (output.json) await output.document(single ? result.deleted[0] : result.deleted)
    if (single) output.note(`deleted response ${ids[0]} of form ${formId}`, 'good')
    else output.note(`deleted ${countOf(result.deleted.length, 'response')} of form ${formId}`, 'good')
    if (result.missing.length > 0) throw missingOf(formId, result.missing, ids.length)
  },
})

async function readIds(
  runtime: Pick<Runtime, 'stdin'>,
  given: readonly string[],
  file: string | undefined,
): Promise<readonly number[]> {
  const ids = given.map((text) => idArgument('response', text))
  if (file !== undefined) ids.push(...(await readIdFile(runtime, file)))
  if (ids.length > 0 || file !== undefined) return [...new Set(ids)]
  throw usage('missing response id', 'pass one or more ids, or --from-file FILE')
}

const MAX_FILE_BYTES = 16 * 1024 * 1024
/** Characters of a wrong line in an error. */
const MAX_SHOWN = 60

/**
 * Reads response ids from a file, or from stdin for `-`: one per line, before the first tab or comma. Empty lines are skipped.
 * @throws Failure exit 2 as {@link readInput}, or if a line does not begin with an id
 */
async function readIdFile(runtime: Pick<Runtime, 'stdin'>, file: string): Promise<number[]> {
  const lines = (await readInput(runtime, file, MAX_FILE_BYTES)).toString().split(/\r?\n/)
  return lines.flatMap((line, index) => {
    const text = (/^[^\t,]*/.exec(line)?.[0] ?? '').trim()
    // The header of a CSV export.
    if (text === '' || (index === 0 && text === 'id')) return []
    if (/^\d{1,15}$/.test(text)) return [Number(text)]
    throw usage(
      `line ${index + 1} of ${inputName(file)} must begin with a response id, got "${text.slice(0, MAX_SHOWN)}"`,
      'one id per line; what follows a tab or a comma is ignored',
    )
  })
}

/** Ids that a question names. */
const NAMED = 5

/** Returns what is about to be deleted, for the question on a terminal. */
async function describe(context: Context, formId: string, ids: readonly number[]): Promise<string> {
  const client = await context.client()
  const form: Form = await client.forms.get(formId)
  const [id] = ids
  if (ids.length > 1 || id === undefined) {
    return `${countOf(ids.length, 'response')} (${firstOf(ids, NAMED)}) of "${form.title}" with their answers and files`
  }
  const response = await client.responses.get(formId, id)
  const when =
    response.submitted_at === null
      ? 'a saved draft'
      : `submitted ${relativeTime(response.submitted_at, context.now())}`
  const who = response.email === null ? '' : ` by ${response.email}`
  return `response ${id} of "${form.title}" (${when}${who}) with its answers and files`
}

interface Result {
  deleted: Deleted[]
  missing: number[]
}

async function deleteAll(
  context: Context,
  client: Formwire,
  formId: string,
  ids: readonly number[],
  single: boolean,
): Promise<Result> {
  const result: Result = { deleted: [], missing: [] }
  const progress = new Progress(context, 'responses', ids.length)
  try {
    for (const [index, id] of ids.entries()) {
      try {
        result.deleted.push(await client.responses.delete(formId, id))
      } catch (error) {
        if (single || !isMissing(error)) throw error
        // Also the status of an unknown form, for which every other id would fail too.
        if (result.deleted.length === 0 && result.missing.length === 0) await client.forms.get(formId)
        result.missing.push(id)
      }
      if (ids.length > 1) progress.show(index + 1)
    }
  } catch (error) {
    if (!single && result.deleted.length > 0) {
      context.output.announce(
        'incomplete',
        `deleted ${grouped(result.deleted.length)} of ${countOf(ids.length, 'response')} before it failed`,
      )
    }
    throw error
  } finally {
    progress.end()
  }
  return result
}

/** Prints the responses that would be deleted. */
async function preview(context: Context, formId: string, ids: readonly number[]): Promise<void> {
  const client = await context.longClient()
  await client.forms.get(formId)
  const found = []
  const missing = []
  for (const id of ids) {
    try {
      found.push(await client.responses.get(formId, id))
    } catch (error) {
      if (!isMissing(error)) throw error
      missing.push(id)
    }
  }
  await context.output.list(found, responseColumns(context.now))
  context.output.note(
    `dry run: ${countOf(found.length, 'response')} of form ${formId} would be deleted; nothing was deleted`,
    'calm',
  )
  if (missing.length > 0) throw missingOf(formId, missing, ids.length)
}

function missingOf(formId: string, missing: readonly number[], total: number): Failure {
  const named = firstOf(missing, NAMED)
  return notFound(
    total === 1
      ? `response ${named} of form ${formId} not found`
      : `${grouped(missing.length)} of ${countOf(total, 'response')} of form ${formId} not found: ${named}`,
  )
}
