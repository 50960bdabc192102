// UTF-8 for engines that have no TextEncoder and TextDecoder, or only one of them: Hermes and QuickJS. The build uses these exports
// in place of the globals where there is no WebAssembly. The functions for URLs of every engine know UTF-8.

/** Only what is used, and no class field: Hermes has none. */
class Encoder {
  encodeInto(text: string, bytes: Uint8Array): { written: number } {
    const utf8 = unescape(encodeURIComponent(text))
    for (let at = 0; at < utf8.length; at++) bytes[at] = utf8.charCodeAt(at)
    return { written: utf8.length }
  }
}

class Decoder {
  decode(bytes: Uint8Array): string {
    let utf8 = ''
    // A call has a limited number of arguments.
    for (let at = 0; at < bytes.length; at += 4096) utf8 += String.fromCharCode.apply(null, bytes.subarray(at, at + 4096) as never)
    return decodeURIComponent(escape(utf8))
  }
}

const { TextEncoder: OwnEncoder, TextDecoder: OwnDecoder } = globalThis as Partial<typeof globalThis>

export const TextEncoder = OwnEncoder && 'encodeInto' in OwnEncoder.prototype ? OwnEncoder : Encoder
export const TextDecoder = OwnDecoder ?? Decoder
