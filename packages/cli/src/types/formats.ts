/** Formats of a generated file. */
export const TYPES_FORMATS = ['ts', 'zod', 'json-schema'] as const

/** A format of a generated file. */
export type TypesFormat = (typeof TYPES_FORMATS)[number]
