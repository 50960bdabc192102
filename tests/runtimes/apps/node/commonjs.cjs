const sendoff = require('sendoff')
const sign = require('sendoff/sign')

Promise.all([import('../assertions.mjs'), import('../vectors.mjs'), import('sendoff')])
  .then(([{ both }, { default: vectors }, copy]) => both(sendoff, sign, vectors, copy))
  .then((report) => console.log(JSON.stringify(report)))
