// The platform of this machine, with the names that src/native.ts uses to find the addon.

const { platform, arch, report } = process
const { glibcVersionRuntime } = report.getReport().header

/** The C library on Linux, with npm's name. */
export const libc = platform !== 'linux' ? undefined : glibcVersionRuntime ? 'glibc' : 'musl'
export const target = [platform, arch, libc?.replace('glibc', 'gnu')].filter(Boolean).join('-')
/** The name of the addon's file, in dist/ and in its package. */
export const addon = `sendoff.${target}.node`
