import { byText } from '../collections/ordered-map.ts'
import { Index, Table } from './table.ts'

/** Milliseconds after which an unclaimed upload expires. */
export const UNCLAIMED_UPLOAD_MS = 3_600_000

/**
 * A file uploaded through a public form. Its bytes are counted and discarded, since no route returns them (RESP-10).
 */
export interface UploadRecord {
  readonly id: string
  readonly formId: string
  /** The question of the upload, `null` until it is claimed if the upload named none. */
  readonly questionId: string | null
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly uploadedAt: number
  /** The response or draft that claimed it, `null` while unclaimed. */
  readonly responseId: number | null
}

export interface UploadsDump {
  readonly uploads: readonly UploadRecord[]
}

type AgeKey = Pick<UploadRecord, 'uploadedAt' | 'id'>
type ClaimKey = Pick<UploadRecord, 'responseId' | 'id'>

/** Uploads of all forms, claimed by a response or unclaimed for at most an hour. */
export class UploadsTable extends Table<UploadRecord, string> {
  protected unclaimed = new Index<UploadRecord, AgeKey>(
    (a, b) => a.uploadedAt - b.uploadedAt || byText(a.id, b.id),
    ({ responseId }) => responseId === null,
  )
  protected claimed = new Index<UploadRecord, ClaimKey>(
    (a, b) => Number(a.responseId) - Number(b.responseId) || byText(a.id, b.id),
    ({ responseId }) => responseId !== null,
  )
  /** Size of all uploads together in bytes, as of the last `expire`. */
  totalBytes = 0

  /** Returns the uploads that a response or draft has claimed. */
  ofResponse(responseId: number): UploadRecord[] {
    return this.claimed.page({ responseId, id: '' }, { responseId: responseId + 1, id: '' }).items
  }

  override put(upload: UploadRecord): UploadRecord | undefined {
    const before = super.put(upload)
    this.totalBytes += upload.size - (before?.size ?? 0)
    return before
  }

  override delete(id: string): UploadRecord | undefined {
    const upload = super.delete(id)
    this.totalBytes -= upload?.size ?? 0
    return upload
  }

  /** Deletes the uploads that a response has claimed (RESP-04). */
  deleteOfResponse(responseId: number): void {
    for (const { id } of this.ofResponse(responseId)) this.delete(id)
  }

  /** Deletes uploads that were not claimed within an hour. */
  expire(now: number): void {
    for (;;) {
      const oldest = this.unclaimed.first()
      if (!oldest || now < oldest.uploadedAt + UNCLAIMED_UPLOAD_MS) return
      this.delete(oldest.id)
    }
  }

  dump(): UploadsDump {
    return { uploads: this.all() }
  }

  load({ uploads }: UploadsDump): this {
    return this.putAll(uploads)
  }
}
