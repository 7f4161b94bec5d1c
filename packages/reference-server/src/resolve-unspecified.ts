import { type RandomSource, seededRandom } from './random.ts'
import { DEFAULT_UNSPECIFIED, UNSPECIFIED, type Unspecified, type UnspecifiedKey } from './unspecified.ts'

/** `default`, `random:SEED` with a whole number, or some of the keys; what is left out has its default. */
export type UnspecifiedOption = 'default' | `random:${number}` | Partial<Unspecified>

/** An `unspecified` option that names no behaviour. The message says which key or value, and what there is. */
export class UnspecifiedError extends Error {
  override readonly name = 'UnspecifiedError'
}

/**
 * One value for every key. Takes what `--unspecified` and a profile file may hold.
 * @throws UnspecifiedError for an unknown key or value, so that a typing error is no silent default.
 */
export function resolveUnspecified(option: unknown = 'default'): Unspecified {
  if (option === 'default') return DEFAULT_UNSPECIFIED
  if (typeof option === 'string') return drawUnspecified(seedOf(option))
  if (typeof option !== 'object' || option === null || Array.isArray(option)) {
    throw new UnspecifiedError('unspecified takes default, random:SEED, or an object of keys and values')
  }
  for (const [key, value] of Object.entries(option)) {
    const values: readonly string[] | undefined = Object.hasOwn(UNSPECIFIED, key)
      ? UNSPECIFIED[key as UnspecifiedKey]
      : undefined
    if (!values)
      throw new UnspecifiedError(
        `unspecified has no key ${key}; it has ${Object.keys(UNSPECIFIED).join(', ')}`,
      )
    if (!values.includes(value)) {
      throw new UnspecifiedError(`unspecified.${key} is ${values.join(' or ')}, not ${JSON.stringify(value)}`)
    }
  }
  return { ...DEFAULT_UNSPECIFIED, ...option }
}

/** One value of each key, drawn with a seed: the same seed draws the same deployment. */
export function drawUnspecified(seed: number): Unspecified {
  const random = seededRandom(seed)
  return Object.fromEntries(
    Object.entries(UNSPECIFIED).map(([key, values]) => [key, values[below(random, values.length)]]),
  ) as Unspecified
}

function seedOf(option: string): number {
  const seed = /^random:(\d{1,15})$/.exec(option)?.[1]
  if (seed === undefined) {
    throw new UnspecifiedError(
      `unspecified takes default, random:SEED with a whole number, or an object, not ${option}`,
    )
  }
  return Number(seed)
}

/** A whole number under `limit`, near enough to even for the few values there are. */
function below(random: RandomSource, limit: number): number {
  const [high = 0, low = 0] = random.bytes(2)
  return (high * 256 + low) % limit
}
