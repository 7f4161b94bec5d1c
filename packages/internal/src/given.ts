/** Members that may be left out or `undefined`, which is the same. */
export type Given<Shape> = { [Name in keyof Shape]?: Shape[Name] | undefined }

/** Returns the options that are given, for a spread over defaults: one that is `undefined` is not. */
export const given = <Shape extends object>(options: Shape) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Shape]: Exclude<Shape[Name], undefined>
  }
