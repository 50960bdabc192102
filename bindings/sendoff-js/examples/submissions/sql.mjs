// A store in SQL. `query(text, values)` returns `{rows, rowCount}`, as that of `pg` does. Every statement is a transaction of its own.

export const TABLE = 'CREATE TABLE IF NOT EXISTS submissions (intent text PRIMARY KEY, state text NOT NULL)'

const INSERT = 'INSERT INTO submissions (intent, state) VALUES ($1, $2) ON CONFLICT (intent) DO NOTHING'
const UPDATE = 'UPDATE submissions SET state = $2 WHERE intent = $1 AND state = $3'

/** The stores of intents. */
export const sqlStore = (query) => (intent) => ({
  async get() {
    const { rows } = await query('SELECT state FROM submissions WHERE intent = $1', [intent])
    return rows[0]?.state ?? null
  },

  async swap(before, after) {
    const { rowCount } =
      before === null ? await query(INSERT, [intent, after]) : await query(UPDATE, [intent, after, before])
    return rowCount === 1
  },
})
