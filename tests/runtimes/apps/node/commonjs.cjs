const sendoff = require('sendoff')
const sign = require('sendoff/sign')

Promise.all([import('../assertions.mjs'), import('../vectors.mjs')])
  .then(([{ checked }, vectors]) => checked(sendoff, sign, vectors.default))
  .then((backend) => console.log(backend))
