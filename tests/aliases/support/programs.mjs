// Hosts in other processes. `cargo xtask test aliases` builds the gateway.

import { configuration, program } from '../../openapi/ground.mjs'

/** Writes down a line of a host in another process: `counted ID OPERATION` or `reached ID OPERATION`. */
export function told(book, line) {
  const [what, id, operation] = line.split(' ')
  if (what === 'counted') book.counted(id, operation)
  if (what === 'reached') book.reached(operation, { 'x-request-id': id })
}

/** The gateway in front of a host: its log is what was counted. */
export async function gateway(t, book, upstream) {
  const file = configuration(`http://${upstream}`, '{ limit = 1_000_000, windowMs = 300_000 }')
  return program(t, 'sendoff-gateway', ['--config', file], (line) => {
    const { trace_id, operation, verdict } = JSON.parse(line)
    if (verdict === 'admitted') book.counted(trace_id, operation)
  })
}
