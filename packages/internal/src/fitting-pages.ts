/** Whether a request is for one response, by itself or as a page. */
export const isOneRow = (path: unknown): boolean =>
  /\/responses\/[^/?]+$|[?&]per_page=1(&|$)/.test(path as string)

/**
 * Whether the same rows may fit in smaller pages than those of `perPage`: a page is larger than the client accepts. If the request was for
 * one row, this row is, in pages of any size: they were halved already.
 */
function mayFitSmaller(error: unknown, perPage: number): boolean {
  const { name, path } = Object(error) as { name?: unknown; path?: unknown }
  return perPage > 1 && name === 'ResponseTooLargeError' && !isOneRow(path)
}

/** Reads with pages of `perPage` rows, and with half as many for as long as a page is larger than the client accepts, down to 1. */
export async function withFittingPages<Result>(
  perPage: number,
  read: (perPage: number) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(perPage)
  } catch (error) {
    if (!mayFitSmaller(error, perPage)) throw error
    return await withFittingPages(Math.floor(perPage / 2), read)
  }
}

/** Opens a list at its first page, in the largest size that fits. In an object, since a list is a promise too. */
export async function openFitting<Page, List extends PromiseLike<Page>>(
  perPage: number,
  open: (perPage: number) => List & PromiseLike<Page>,
): Promise<{ list: List; first: Page }> {
  return await withFittingPages(perPage, async (size) => {
    const list = open(size)
    return { list, first: await list }
  })
}
