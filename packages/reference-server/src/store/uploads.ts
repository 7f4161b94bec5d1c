import { byNumber, byText } from './compare.ts'
import { OrderedMap } from './ordered-map.ts'

/** How long an upload waits to be claimed by an answer, in milliseconds. */
export const UNCLAIMED_UPLOAD_MS = 3_600_000

/**
 * A file that came through a public form. Its bytes are counted and dropped: no route gives them out (RESP-10), so
 * keeping them would cost memory and serve nobody.
 */
export interface UploadRecord {
  readonly id: string
  readonly formId: string
  /** The question it was uploaded for; `null` when the upload named none, then the claim settles it. */
  readonly questionId: string | null
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly uploadedAt: number
  /** The response or draft that claimed it; `null` while it waits. */
  readonly responseId: number | null
}

export interface UploadsDump {
  readonly uploads: readonly UploadRecord[]
}

interface Place {
  readonly order: number
  readonly id: string
}

const byPlace = (a: Place, b: Place): number => byNumber(a.order, b.order) || byText(a.id, b.id)

/** Uploads of all forms: claimed by a response, or waiting for their hour to end. */
export class UploadsTable {
  #byId = new OrderedMap<string, UploadRecord>(byText)
  #waiting = new OrderedMap<Place, UploadRecord>(byPlace)
  #claimed = new OrderedMap<Place, UploadRecord>(byPlace)
  #totalBytes = 0

  /** Bytes of all uploads together, as after the last `expire`. */
  get totalBytes(): number {
    return this.#totalBytes
  }

  get(id: string): UploadRecord | undefined {
    return this.#byId.get(id)
  }

  /** Uploads that a response or draft has claimed. */
  ofResponse(responseId: number): UploadRecord[] {
    const start = this.#claimed.rank({ order: responseId, id: '' })
    const end = this.#claimed.rank({ order: responseId + 1, id: '' })
    return this.#claimed.slice(start, end - start)
  }

  /** Adds an upload or replaces the one with its id. */
  put(upload: UploadRecord): void {
    this.delete(upload.id)
    this.#byId.set(upload.id, upload)
    const [index, place] = this.#placeOf(upload)
    index.set(place, upload)
    this.#totalBytes += upload.size
  }

  delete(id: string): void {
    const upload = this.#byId.delete(id)
    if (!upload) return
    const [index, place] = this.#placeOf(upload)
    index.delete(place)
    this.#totalBytes -= upload.size
  }

  /** Deletes all that a response has claimed (RESP-04). */
  deleteOfResponse(responseId: number): void {
    for (const upload of this.ofResponse(responseId)) this.delete(upload.id)
  }

  /** Deletes what nobody claimed within the hour. */
  expire(now: number): void {
    for (;;) {
      const oldest = this.#waiting.at(0)?.[1]
      if (!oldest || now < oldest.uploadedAt + UNCLAIMED_UPLOAD_MS) return
      this.delete(oldest.id)
    }
  }

  fork(): UploadsTable {
    const copy = new UploadsTable()
    copy.#byId = this.#byId.clone()
    copy.#waiting = this.#waiting.clone()
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

  #placeOf({ id, responseId, uploadedAt }: UploadRecord): [OrderedMap<Place, UploadRecord>, Place] {
    return responseId === null
      ? [this.#waiting, { order: uploadedAt, id }]
      : [this.#claimed, { order: responseId, id }]
  }
}
