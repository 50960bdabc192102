// The package as CommonJS sees it.

import sendoff = require('sendoff')

const meaning: { readonly length: 32 } = sendoff.readText('word', '0x')
const error: Error = new sendoff.SendoffError([])
const limiter = new sendoff.RateLimiter('{}')
const size: number = limiter.size
export = { meaning, error, size }
