const SHAPES: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:?\d{2})?$/,
}

/** Whether a value or text of an answer to a question about a date or time is neither, and so may be anything. */
export const isIrregular = (type: string, text: unknown): boolean =>
  typeof text === 'string' && SHAPES[type]?.test(text) === false
