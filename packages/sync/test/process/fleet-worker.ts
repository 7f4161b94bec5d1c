import { QUEUE_SCHEMA } from '../../src/engine/queue-status.ts'
import { createFleet, type FleetOptions } from '../../src/fleet/index.ts'
import { FleetQueue } from '../../src/fleet/queue.ts'

/**
 * A worker of a fleet: `node fleet-worker.mjs OPTIONS`, in JSON. Prints what happens, one JSON object a line, and writes each response to
 * the table `outbox` in the transaction of its row. SIGTERM stops it, SIGUSR2 prints its status, and SIGHUP begins a round before its time.
 */
const options = JSON.parse(process.argv[2] as string) as FleetOptions
const print = (event: object): void => console.log(JSON.stringify(event))
const told = ({ name, code, message }: Error & { code?: string }): object => ({ name, code, message })

const fleet = createFleet({
  ...options,
  onResponse: (response, transaction, workspace) =>
    transaction.query('INSERT INTO public.outbox (workspace, form_id, id) VALUES ($1, $2, $3)', [
      workspace,
      response.form_id,
      response.id,
    ]),
  onError: ({ workspace, error }) => print({ event: 'error', workspace, error: told(error as Error) }),
  onRecovered: (workspace) => print({ event: 'recovered', workspace: workspace ?? null }),
  onFormFailed: ({ workspace, formId }) => print({ event: 'form_failed', workspace, formId }),
  onFormRecovered: ({ workspace, formId }) => print({ event: 'form_recovered', workspace, formId }),
})
process.once('SIGTERM', () => void fleet.stop().then(() => print({ event: 'stopped' })))
process.on('SIGUSR2', async () => {
  const { workspaces, queue } = await fleet.status()
  const shown = workspaces.map(({ name, error }) => ({ name, error: error ? told(error as Error) : null }))
  const outages = Object.fromEntries(fleet.workspaces().map(({ name, status }) => [name, status.outage]))
  print({ event: 'status', workspaces: shown, queue, outages })
})
process.on('SIGHUP', async () => {
  const { connectionString, queueSchema: schema = QUEUE_SCHEMA, workspaces } = options
  const queue = await FleetQueue.open({ connectionString, schema, connections: 1, onError: console.error })
  await queue.offerRounds(
    workspaces.map(({ name }) => name),
    1,
  )
  await queue.close()
})
await fleet.start()
print({ event: 'started' })
