import { run } from '../run.mjs'

run().then((backend) => console.log(backend))
