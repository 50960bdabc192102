// What `import 'sendoff/redis'` gives: rate windows that many processes share.

export type { IoRedis, NodeRedis } from './redis/client.js'
export { RedisWindows, type RedisWindowsOptions, WindowError } from './redis/windows.js'
