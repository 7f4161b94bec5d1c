import type { ArgumentSpec } from '../command.ts'
import {
  chooseDelivery,
  chooseForm,
  chooseFormWithEndpoints,
  chooseProfile,
  chooseServerEndpoint,
  type EndpointState,
} from './choose.ts'

/** The form that a command is about. */
export const FORM: ArgumentSpec = { name: '<form>', description: 'id of the form', choose: chooseForm }

/** The endpoint of a reference server that a command is about, with the state in which it is offered. */
export const endpointArguments = (state?: EndpointState): readonly ArgumentSpec[] => [
  { name: '<form>', description: 'id of the form', choose: chooseFormWithEndpoints(state) },
  { name: '<webhook>', description: 'id of the endpoint', choose: chooseServerEndpoint(state) },
]

/** The delivery of a reference server that a command is about. */
export const DELIVERY: ArgumentSpec = {
  name: '<id>',
  description: 'delivery id, the value of X-Service-Delivery',
  choose: chooseDelivery,
}

/** The stored profile that a command is about. */
export const PROFILE: ArgumentSpec = {
  name: '<name>',
  description: 'name of the profile',
  choose: chooseProfile,
}
