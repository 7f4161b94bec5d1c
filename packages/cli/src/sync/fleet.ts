import { createFleet, type FleetOptions } from '@formwire/sync/fleet'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { parseDatabaseTarget } from '../input/database-target.ts'
import { outlasts } from '../interrupt.ts'
import { asClause, connectionProblem, reasonOf } from '../service-message.ts'
import { readFleetConfig } from './fleet-config.ts'
import type { MetricsAddress } from './metrics-server.ts'
import { printChanges, reportFailedForm, reportFullView, reportRecoveredForm } from './run.ts'
import { databaseFailure } from './store.ts'

/** Runs one worker of a fleet until it is stopped, or no workspace is left that it can work for. */
export async function runFleet(
  context: Context,
  path: string,
  metrics: MetricsAddress | undefined,
): Promise<never> {
  const { output, runtime } = context
  const config = await readFleetConfig(context, path)
  const target = parseDatabaseTarget('postgres', runtime.env)
  for (const secret of target.secrets) context.hide(secret)
  if (config.connectionString !== undefined) context.hide(config.connectionString)
  const left = new Set(config.workspaces.map(({ name }) => name))
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  const fleet = create({
    ...(target.kind === 'postgres' && target.url !== undefined ? { connectionString: target.url } : {}),
    ...config,
    onChanges: (changes, workspace) => printChanges(context, changes, workspace),
    onViewFull: (view) => reportFullView(context, view),
    onFormFailed: (failure) => reportFailedForm(context, failure),
    onFormRecovered: (form) => reportRecoveredForm(context, form),
    onError({ workspace, error, ended }) {
      const text = `${failureText(workspace, error)}${ended ? '; nothing more is read for this workspace' : ''}`
      output.announce('fleet_failed', text, { workspace: workspace ?? null })
      if (ended && workspace !== undefined) left.delete(workspace)
      if (left.size === 0) fail(databaseFailure(error))
    },
    onRecovered(workspace) {
      const what = workspace === undefined ? 'PostgreSQL' : `the service of workspace ${workspace}`
      output.announce('fleet_recovered', `${what}: connected again`, { workspace: workspace ?? null })
    },
  })
  context.onExit(async () => {
    const stopping = fleet.stop()
    // Not if nothing is being read.
    if (await outlasts(stopping, TOLD_MS, runtime.clock))
      output.note('ending what is being read, in 10 s at most (Ctrl-C to end now)', 'wait')
    await stopping
  })
  if (metrics) {
    const { serveMetrics } = await import('./metrics-server.ts')
    const workspaces = () =>
      fleet.workspaces().map(({ name, status, forms }) => ({ workspace: name, status, forms }))
    const queue = async () => (await fleet.status()).queue
    await serveMetrics(context, { workspaces, queue, ping: queue }, metrics)
  }
  try {
    await fleet.start()
  } catch (error) {
    throw databaseFailure(error)
  }
  output.note(`working for ${config.workspaces.map(({ name }) => name).join(', ')} (Ctrl-C to stop)`, 'wait')
  return await failed
}

/** Milliseconds after which a worker that ends is said to finish its work. */
const TOLD_MS = 300

/** Says what failed, and why. */
function failureText(workspace: string | undefined, error: unknown): string {
  const { name } = error as Error
  const isDatabase = name === 'StoreError'
  const problem = isDatabase ? connectionProblem(error) : undefined
  if (workspace === undefined) {
    // The message of a store names the database itself.
    const isNamed = isDatabase && problem === undefined
    return isNamed ? asClause(reasonOf(error)) : `PostgreSQL: ${problem ?? reasonOf(error)}`
  }
  const isService = !isDatabase && name !== 'UnknownFormsError'
  return `${isService ? 'the service of ' : ''}workspace ${workspace}: ${problem ?? reasonOf(error)}`
}

/** @throws Failure exit 2 for an invalid option */
function create(options: FleetOptions): ReturnType<typeof createFleet> {
  try {
    return createFleet(options)
  } catch (error) {
    throw (error as Error).name === 'UsageError' ? usage((error as Error).message) : error
  }
}
