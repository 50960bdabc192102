import { readFileSync } from 'node:fs'
import { estimate, SendoffError, signable } from 'sendoff'

const read = (name: string) => JSON.parse(readFileSync(`tests/demo/${name}.json`, 'utf8'))
const request = read('request') // what you ask the service for
const reply = estimate(request, read('facts')) // what it answers: here made on the spot

try {
  const { digest, account } = signable(request, reply, read('deployment'))
  console.log(account.call.moves) // show this to the person who is to sign
  console.log(digest) // and sign this
} catch (error) {
  if (!SendoffError.is(error)) throw error
  for (const { path, code, message } of error.issues) console.error(path, code, message)
}
