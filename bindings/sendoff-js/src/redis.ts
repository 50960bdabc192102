// The entry `sendoff/redis`: rate windows that many processes share.

export type { IoRedis, NodeRedis } from './redis/client.js'
export { RedisWindows, type RedisWindowsOptions, WindowError } from './redis/windows.js'
