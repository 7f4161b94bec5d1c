/** The state that a claim found. */
export type ClaimState = 'claimed' | 'in_progress' | 'completed'

/**
 * Stores claims. Every method is atomic over all its keys: if several processes claim at the same time, one wins. Any
 * store with compare-and-set can implement it.
 */
export interface DedupeStore {
  /**
   * Claims all keys for `owner` for `claimMs` milliseconds. If any key is already claimed or completed, changes nothing and
   * returns that state; "completed" takes precedence over "in_progress".
   */
  claim(keys: readonly string[], owner: string, claimMs: number): Promise<ClaimState>
  /**
   * Marks the keys as completed for `keepMs` milliseconds, even if the claim has expired, unless another owner has claimed
   * them since. @returns whether every key is completed.
   */
  complete(keys: readonly string[], owner: string, keepMs: number): Promise<boolean>
  /** Releases the keys that `owner` holds. @returns whether `owner` held all of them. */
  release(keys: readonly string[], owner: string): Promise<boolean>
}
