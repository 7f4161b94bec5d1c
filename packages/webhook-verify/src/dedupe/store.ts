/** What a claim found. */
export type ClaimState = 'claimed' | 'in_progress' | 'completed'

/**
 * Where claims are kept. Every method is atomic over all its keys: of several processes that claim at once, one wins.
 * Any store with compare-and-set can implement it.
 */
export interface DedupeStore {
  /**
   * Takes all keys for `owner` until `claimMs` have passed, unless one of them is taken or completed: then nothing
   * changes. "completed" wins over "in_progress" when both are found.
   */
  claim(keys: readonly string[], owner: string, claimMs: number): Promise<ClaimState>
  /**
   * Marks the keys completed for `keepMs`. A claim whose deadline passed is completed all the same, unless another owner
   * holds it by now. @returns whether every key is completed.
   */
  complete(keys: readonly string[], owner: string, keepMs: number): Promise<boolean>
  /** Gives the keys up, those of another owner excepted. @returns whether every key was the owner's. */
  release(keys: readonly string[], owner: string): Promise<boolean>
}
