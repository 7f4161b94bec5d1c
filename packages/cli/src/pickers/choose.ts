import { readProfiles } from '../config/profiles.ts'
import type { Context } from '../context.ts'
import { Stopped, usage } from '../failure.ts'
import { canAsk } from '../input/ask.ts'
import { colourLevel } from '../output/colour-level.ts'
import { isCi } from '../output/output.ts'
import { safeLine } from '../output/text-safety.ts'
import { relativeTime } from '../output/time.ts'
import { prepareWidths } from '../output/width.ts'
import type { Choice } from './picker.ts'

/** Whether a picker can open: on a terminal, and not where a program reads the output or nobody watches. */
export function canChoose({ runtime, output }: Pick<Context, 'runtime' | 'output'>): boolean {
  const { stdout, env } = runtime
  if (stdout.isTTY !== true || env.TERM === 'dumb' || isCi(env) || output.json) return false
  // Opened last: no other command needs it.
  return canAsk({ runtime }) && 'setRawMode' in runtime.stdin
}

/** Forms and responses that a picker shows, the newest. */
const MAX_FORMS = 1000
const MAX_RESPONSES = 100

/** Lets the user choose a form. Resolves to undefined where no picker can open. @throws Stopped if the user cancels */
export async function chooseForm(context: Context): Promise<string | undefined> {
  if (!canChoose(context)) return undefined
  const choices = await read(context, 'list the forms', async () => {
    const client = await context.client()
    const found: Choice[] = []
    for await (const { id, title, status } of client.forms.list({ per_page: 100 })) {
      found.push({ value: id, texts: [title, id, status] })
      if (found.length === MAX_FORMS) break
    }
    return found
  })
  if (choices.length === 0) throw usage('the workspace has no forms to choose from')
  const [id] = await choose(context, 'Which form?', choices)
  return id
}

/** Lets the user choose responses of a form. Resolves to none where no picker can open. @throws Stopped if the user cancels */
export async function chooseResponses(context: Context, formId: string): Promise<readonly number[]> {
  if (!canChoose(context)) return []
  const now = context.runtime.clock.now()
  const choices = await read(context, `list the responses of form ${formId}`, async () => {
    const { data } = await (await context.client()).responses.list(formId, { per_page: MAX_RESPONSES })
    return data.map(({ id, submitted_at, email, answers }) => ({
      value: String(id),
      texts: [
        String(id),
        submitted_at === null ? 'draft' : relativeTime(submitted_at, now),
        email ?? '',
        answers.map(({ text }) => text).join(' · '),
      ],
    }))
  })
  if (choices.length === 0) throw usage(`form ${formId} has no responses to choose from`)
  return (await choose(context, `Which responses of form ${formId}?`, choices, true)).map(Number)
}

/** Lets the user choose a stored profile. Resolves to undefined where no picker can open. @throws Stopped if the user cancels */
export async function chooseProfile(context: Context): Promise<string | undefined> {
  if (!canChoose(context)) return undefined
  const { current, profiles } = readProfiles(context.runtime)
  const choices = Object.entries(profiles).map(([name, { base_url }]) => ({
    value: name,
    texts: [name, base_url, name === current ? 'current' : ''],
  }))
  if (choices.length === 0)
    throw usage('there are no profiles to choose from', 'store one with formwire login')
  const [name] = await choose(context, 'Which profile?', choices)
  return name
}

/** Reads choices. What fails is this, not what the command was asked to do. */
async function read(context: Context, task: string, list: () => Promise<Choice[]>): Promise<Choice[]> {
  context.task = task
  const found = await list()
  context.task = undefined
  return found
}

async function choose(
  context: Context,
  question: string,
  choices: readonly Choice[],
  several = false,
): Promise<readonly string[]> {
  const { runtime, output, global } = context
  const safe = choices.map(({ value, texts }) => ({ value, texts: texts.map(safeLine) }))
  await prepareWidths(safe.flatMap(({ texts }) => texts))
  const { pick } = await import('./picker.ts')
  const chosen = await pick({
    question,
    choices: safe,
    several,
    stdin: runtime.stdin as NodeJS.ReadStream,
    stderr: runtime.stderr as NodeJS.WriteStream,
    colourLevel: colourLevel(runtime.env, true, global.color === false),
    stop: runtime.stop,
    onExit: (run, forced) => context.onExit(run, forced),
  })
  runtime.stop.throwIfAborted()
  if (chosen === undefined) throw new Stopped('interrupted')
  output.note(`${question} ${chosen.join(', ')}`)
  return chosen
}
