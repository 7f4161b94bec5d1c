// Everything that these files export is public.
export * from './answer.ts'
export * from './envelope.ts'
export * from './form.ts'
export * from './limits.ts'
export * from './me.ts'
export * from './open-enum.ts'
export * from './response.ts'
export * from './webhook.ts'
