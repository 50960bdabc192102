// What was asked of the core and the package and is not reached, for the README that run.mjs writes.

/** Each figure that is not reached, with what holds it: by how much, what was tried, and what more would cost. */
export function limits({ measured, first, redis, growth, reply }) {
  const of = (job, name) => measured[`${job}, in Node`][name].min
  const times = (job, name) => (of(job, 'ox + valibot') / of(job, name)).toFixed(1)
  const [core, native, wasm] = ['sendoff, core in Rust', 'sendoff, native in Node', 'sendoff, wasm in Node']
  const least = (of('both', reply) + of('both', core)).toFixed(1)
  const [ours, peer, three] = Object.values(redis)
  // Without redis-server nothing was measured.
  const share = (side, figure) => (side ? (side[figure] / peer[figure]).toFixed(2) : 'not measured')
  const most = (name) => growth.refusals.find((refusal) => refusal.name === name)
  const refused = (name) => (most(name).refused / most(name).accepted).toFixed(1)
  return `| asked for | found | why, what was tried, and what more would cost |
|---|---|---|
| \`both\` ≥ 10 × natively, ≥ 7 × in wasm | ${times('both', native)}, ${times('both', wasm)} | The job asks for the reply as an object and as text. JSON.parse and JSON.stringify of it take ${of('both', reply)} µs and the core ${of('both', core)}: ${least} together, where 10 × are ${(of('both', 'ox + valibot') / 10).toFixed(1)}. Objects made by napi are slower than JSON.parse. Answers that are parsed when a field is read would be printed as \`[Getter]\`. \`sendoff/text\` makes no object: that is \`host\`. |
| \`client\` ≥ 9 × natively, ≥ 6 × in wasm; \`signable\` ≤ 3 floors | ${times('client', native)}, ${times('client', wasm)}; ${(of('client', core) / of('client', 'floor')).toFixed(1)} floors | The core in Rust by itself is ${times('client', core)} ×. Two documents are read, one is written again to be compared, and the answer has typed data, a description and warnings, of which the job uses the digest. |
| \`host\` ≥ 4 × in wasm | ${times('host', wasm)} | The module is compiled for size. \`opt-level = 3\` for all of it is 12 % faster and 17 kB (gzip) larger; for the digits of hex it is taken. |
| the first call of a page ≤ 5 ms | ${first.toFixed(1)} ms | The module is unpacked by WebAssembly (3 ms less than by JavaScript). The rest is the engine's: to compile the module and, one by one, the functions of the first call. \`await init()\` does the first part before it is needed. |
| a page with \`sendoff/sign\` ≤ 30 kB, with all ≤ 55 kB | docs/pictures/size.svg | No part is large: 570 functions, the largest of 13 kB before compression, and of libraries \`core\` with 15 kB and \`alloc\` with 6. build-std with immediate-abort takes off 7 kB and 2 kB, by an unstable flag; LLVM's and wasm-opt's other passes less than 0.5 %. |
| \`admit\` ≤ 1.3 × the map | above | With few callers both take 15 ns for the hash and the place; the window and the verdict are the other 5. |
| a script ≤ 1.0 × and a client ≤ 1.2 × of rate-limiter-flexible | ${share(ours, 'server')}, ${share(ours, 'client')} | TIME, GET and SET without any rule are ${share(three, 'server')} × its script, which has no clock, no midnight and no deadline. A policy's constants in the script instead of arguments save 11 %, and make a script for each policy. A client that puts verdicts together in JavaScript halves the rest, and would be a second definition of them. |
| a refused estimate ≤ 3 × an accepted one | at most ${refused('1 MiB, 65,000 unknown fields')} | All usual ones are. The accepted document of 1 MiB is one text of hex digits, read eight at a time; a refused one of 500,000 values or 65,000 keys is a tree, of which every key gets an issue or a comparison. |`
}
