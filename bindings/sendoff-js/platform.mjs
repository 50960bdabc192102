// What an addon of this machine is built for, in the words that src/native.ts looks for it with.

const { platform, arch, report } = process
const { glibcVersionRuntime } = report.getReport().header

/** The C library that it needs, in npm's word, on Linux. */
export const libc = platform !== 'linux' ? undefined : glibcVersionRuntime ? 'glibc' : 'musl'
export const target = [platform, arch, libc?.replace('glibc', 'gnu')].filter(Boolean).join('-')
/** The addon's file, in dist/ and in its package. */
export const addon = `sendoff.${target}.node`
