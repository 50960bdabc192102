// The data for the second device: the texts of request and reply, as one text for the clipboard.

export interface Parcel {
  readonly request: string
  readonly reply: string
}

/** Returns the parcel as text. It contains the documents as text, so that all their bytes are kept. */
export function packed({ request, reply }: Parcel): string {
  return JSON.stringify({ request, reply })
}

/** Reads a parcel; `undefined` if the text is anything else. */
export function unpacked(text: string): Parcel | undefined {
  try {
    const { request, reply } = JSON.parse(text)
    return typeof request === 'string' && typeof reply === 'string' ? { request, reply } : undefined
  } catch {
    return undefined
  }
}
