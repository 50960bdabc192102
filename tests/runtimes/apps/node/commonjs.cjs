const sendoff = require('sendoff')

Promise.all([import('../assertions.mjs'), import('../vectors.mjs'), import('sendoff')])
  .then(([{ assertions }, { default: vectors }, copy]) => assertions(sendoff, vectors, copy))
  .then((report) => console.log(JSON.stringify(report)))
