import { createFleet, type FleetOptions } from '../../src/fleet/index.ts'

/**
 * A worker of a fleet: `node fleet-worker.mjs OPTIONS`, in JSON. Prints what happens, one JSON object a line, and writes each response to
 * the table `outbox` in the transaction of its row. SIGTERM stops it.
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
await fleet.start()
print({ event: 'started' })
