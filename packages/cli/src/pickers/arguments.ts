import type { ArgumentSpec } from '../command.ts'
import {
  chooseDelivery,
  chooseForm,
  chooseProfile,
  chooseServerEndpoint,
  chooseServerForm,
} from './choose.ts'

/** The form that a command is about. */
export const FORM = {
  name: '<form>',
  description: 'id of the form',
  choose: chooseForm,
} as const satisfies ArgumentSpec

/** The endpoint of a reference server that a command is about. */
export const ENDPOINT = [
  { name: '<form>', description: 'id of the form', choose: chooseServerForm },
  { name: '<webhook>', description: 'id of the endpoint', choose: chooseServerEndpoint },
] as const satisfies readonly ArgumentSpec[]

/** The delivery of a reference server that a command is about. */
export const DELIVERY = {
  name: '<id>',
  description: 'delivery id, the value of X-Service-Delivery',
  choose: chooseDelivery,
} as const satisfies ArgumentSpec

/** The stored profile that a command is about. */
export const PROFILE = {
  name: '<name>',
  description: 'name of the profile',
  choose: chooseProfile,
} as const satisfies ArgumentSpec
