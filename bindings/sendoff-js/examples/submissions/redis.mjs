// A store in Redis. The server must not lose what it acknowledged: `appendonly yes`, `appendfsync always`, `maxmemory-policy
// noeviction`, and no failover to a replica that may be behind.

const SWAP = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`

/** The stores of intents, with a connected client of node-redis. */
export const redisStore = (client, prefix = 'submission:') => (intent) => ({
  get: () => client.get(prefix + intent),

  async swap(before, after) {
    return (await client.eval(SWAP, { keys: [prefix + intent], arguments: [before ?? '', after] })) === 1
  },
})
