import { spawn } from 'node:child_process'
import { quantile } from './statistics.ts'

/**
 * Returns the milliseconds of a Node process with each of these arguments: the 10th percentile, since other processes only add time.
 * They take turns in every round.
 */
export async function startTimes(
  commands: readonly (readonly string[])[],
  rounds: number,
  env: Readonly<Record<string, string>> = {},
): Promise<number[]> {
  const times = commands.map((): number[] => [])
  for (let round = -2; round < rounds; round += 1) {
    for (const [index, args] of commands.entries()) {
      const ms = await run(args, env)
      if (round >= 0) times[index]?.push(ms)
    }
  }
  return times.map((values) => quantile(values, 0.1))
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    // NODE_EXTRA_CA_CERTS triples the start of Node, which would flatter every ratio.
    spawn(process.execPath, args, {
      env: { ...process.env, ...env, NODE_EXTRA_CA_CERTS: undefined },
      stdio: 'ignore',
    }).once('exit', (code) => {
      if (code === 0) resolve(performance.now() - started)
      else reject(new Error(`node ${args.join(' ')} exited with ${code}; build first.`))
    })
  })
}
