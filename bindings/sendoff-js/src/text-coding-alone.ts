// UTF-8 for engines that have no TextEncoder and TextDecoder, or only one of them: Hermes and QuickJS. The build uses these exports
// in place of the globals where there is no WebAssembly.

/** Only what is used, and no class field: Hermes has none. */
class Encoder {
  encodeInto(text: string, bytes: Uint8Array): { written: number } {
    let written = 0
    for (let at = 0; at < text.length; at++) {
      let code = text.charCodeAt(at)
      if (code < 0x80) {
        bytes[written++] = code
        continue
      }
      if (code < 0x800) bytes[written++] = 0xc0 | (code >> 6)
      else {
        const isHigh = code >= 0xd800 && code < 0xdc00
        const low = isHigh ? text.charCodeAt(at + 1) : 0
        if (low >= 0xdc00 && low < 0xe000) {
          at++
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
          bytes[written++] = 0xf0 | (code >> 18)
          bytes[written++] = 0x80 | ((code >> 12) & 0x3f)
        } else {
          // Half of a pair is no text.
          if (code >= 0xd800 && code < 0xe000) code = 0xfffd
          bytes[written++] = 0xe0 | (code >> 12)
        }
        bytes[written++] = 0x80 | ((code >> 6) & 0x3f)
      }
      bytes[written++] = 0x80 | (code & 0x3f)
    }
    return { written }
  }
}

class Decoder {
  /** The core writes only valid UTF-8. */
  decode(bytes: Uint8Array): string {
    let text = ''
    let at = 0
    while (at < bytes.length) {
      const codes: number[] = []
      // A call has a limited number of arguments.
      for (; at < bytes.length && codes.length < 4096; ) {
        const first = bytes[at++]!
        if (first < 0x80) codes.push(first)
        else if (first < 0xe0) codes.push(((first & 0x1f) << 6) | (bytes[at++]! & 0x3f))
        else {
          const middle = (bytes[at++]! & 0x3f) << 6
          if (first < 0xf0) codes.push(((first & 0x0f) << 12) | middle | (bytes[at++]! & 0x3f))
          else {
            const code = ((first & 0x07) << 18) | (middle << 6) | ((bytes[at++]! & 0x3f) << 6) | (bytes[at++]! & 0x3f)
            codes.push(0xd7c0 + (code >> 10), 0xdc00 | (code & 0x3ff))
          }
        }
      }
      text += String.fromCharCode.apply(null, codes)
    }
    return text
  }
}

const { TextEncoder: OwnEncoder, TextDecoder: OwnDecoder } = globalThis as Partial<typeof globalThis>

export const TextEncoder = OwnEncoder && 'encodeInto' in OwnEncoder.prototype ? OwnEncoder : Encoder
export const TextDecoder = OwnDecoder ?? Decoder
