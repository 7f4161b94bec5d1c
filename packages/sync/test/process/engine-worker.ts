import { startEngine } from '../../src/engine/boss.ts'

/** A process that starts the engine, sends a job and does it: `node engine-worker.mjs URL`. Prints the data of the job. */
const boss = await startEngine({ connectionString: process.argv[2], onError: console.error })
await boss.createQueue('greetings', { policy: 'exclusive' })
await boss.send('greetings', { hello: 'world' })
const [job] = await boss.fetch<{ hello: string }>('greetings')
console.log(JSON.stringify(job?.data))
await boss.stop()
