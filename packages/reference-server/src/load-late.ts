/**
 * Loads with the first call, what all later ones share. One that failed is tried again by the next call: a file that
 * could not be opened then may be by now.
 */
export function loadLate<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined
      throw cause
    })
    return loading
  }
}
