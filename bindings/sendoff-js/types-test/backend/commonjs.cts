// The entries for backends as CommonJS sees them.

import http = require('sendoff/http')
import redis = require('sendoff/redis')

declare const client: redis.IoRedis
const store = new redis.RedisWindows(client, '{}', { environment: 'production' })
export = http.guardExpress({ scope: () => 'shop', store, onStoreLoss: 'refuse' })
