import type { Chooser, OptionSpec } from '../command.ts'
import {
  chooseDelivery,
  chooseForm,
  chooseProfile,
  chooseServerEndpoint,
  chooseServerForm,
} from './choose.ts'

const argument = <const Name extends string>(name: Name, description: string, choose: Chooser) => ({
  name,
  description,
  choose,
})

/** The form that a command is about. */
export const FORM = argument('<form>', 'id of the form', chooseForm)

/** The endpoint of a reference server that a command is about. */
export const ENDPOINT = [
  argument('<form>', 'id of the form', chooseServerForm),
  argument('<webhook>', 'id of the endpoint', chooseServerEndpoint),
] as const

/** The delivery of a reference server that a command is about. */
export const DELIVERY = argument('<id>', 'delivery id, the value of X-Service-Delivery', chooseDelivery)

/** The stored profile that a command is about. */
export const PROFILE = argument('<name>', 'name of the profile', chooseProfile)

/** `--admin-token`, for throwaway servers only: other processes can read a command line. */
export const ADMIN_TOKEN = {
  name: 'admin-token',
  value: 'token',
  description: 'admin token of a throwaway server',
  default: 'FORMWIRE_ADMIN_TOKEN',
} as const satisfies OptionSpec
