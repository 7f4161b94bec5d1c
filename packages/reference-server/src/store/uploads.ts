import { byNumber, byText, OrderedMap } from '../collections/ordered-map.ts'

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

interface UploadKey {
  readonly order: number
  readonly id: string
}

const byUploadKey = (a: UploadKey, b: UploadKey): number => byNumber(a.order, b.order) || byText(a.id, b.id)

/** Uploads of all forms, claimed by a response or unclaimed for at most an hour. */
export class UploadsTable {
  #byId = new OrderedMap<string, UploadRecord>(byText)
  #unclaimed = new OrderedMap<UploadKey, UploadRecord>(byUploadKey)
  #claimed = new OrderedMap<UploadKey, UploadRecord>(byUploadKey)
  #totalBytes = 0

  /** Size of all uploads together in bytes, as of the last `expire`. */
  get totalBytes(): number {
    return this.#totalBytes
  }

  /** Number of uploads, as of the last `expire`. */
  get count(): number {
    return this.#byId.size
  }

  get(id: string): UploadRecord | undefined {
    return this.#byId.get(id)
  }

  /** Returns the uploads that a response or draft has claimed. */
  ofResponse(responseId: number): UploadRecord[] {
    const start = this.#claimed.rank({ order: responseId, id: '' })
    const end = this.#claimed.rank({ order: responseId + 1, id: '' })
    return this.#claimed.slice(start, end - start)
  }

  /** Adds an upload or replaces the one with its id. */
  put(upload: UploadRecord): void {
    this.delete(upload.id)
    this.#byId.set(upload.id, upload)
    const [index, place] = this.#keyOf(upload)
    index.set(place, upload)
    this.#totalBytes += upload.size
  }

  delete(id: string): void {
    const upload = this.#byId.delete(id)
    if (!upload) return
    const [index, place] = this.#keyOf(upload)
    index.delete(place)
    this.#totalBytes -= upload.size
  }

  /** Deletes the uploads that a response has claimed (RESP-04). */
  deleteOfResponse(responseId: number): void {
    for (const upload of this.ofResponse(responseId)) this.delete(upload.id)
  }

  /** Deletes uploads that were not claimed within an hour. */
  expire(now: number): void {
    for (;;) {
      const oldest = this.#unclaimed.at(0)?.[1]
      if (!oldest || now < oldest.uploadedAt + UNCLAIMED_UPLOAD_MS) return
      this.delete(oldest.id)
    }
  }

  fork(): UploadsTable {
    const copy = new UploadsTable()
    copy.#byId = this.#byId.clone()
    copy.#unclaimed = this.#unclaimed.clone()
    copy.#claimed = this.#claimed.clone()
    copy.#totalBytes = this.#totalBytes
    return copy
  }

  dump(): UploadsDump {
    return { uploads: [...this.#byId.values()] }
  }

  static load(dump: UploadsDump): UploadsTable {
    const table = new UploadsTable()
    for (const upload of dump.uploads) table.put(upload)
    return table
  }

  #keyOf({ id, responseId, uploadedAt }: UploadRecord): [OrderedMap<UploadKey, UploadRecord>, UploadKey] {
    return responseId === null
      ? [this.#unclaimed, { order: uploadedAt, id }]
      : [this.#claimed, { order: responseId, id }]
  }
}
