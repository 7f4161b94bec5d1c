import { type ReservedPort, reservePort } from '../../packages/internal/src/reserved-port.ts'

/** Reservations that hold until the process ends; without a reference their connections would be garbage. */
const holding: ReservedPort[] = []

/** Returns a port of 127.0.0.1 that refuses connections until a program of the test listens on it, and stays reserved. */
export async function freePort(): Promise<number> {
  const reserved = await reservePort()
  holding.push(reserved)
  return reserved.port
}
