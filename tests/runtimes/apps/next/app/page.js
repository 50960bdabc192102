import { Client } from './client.js'
import { run } from '../../run.mjs'

// At each request, and not once while the application is built.
export const dynamic = 'force-dynamic'

export default async function Page() {
  return (
    <>
      <pre>{await run()}</pre>
      <Client />
    </>
  )
}
