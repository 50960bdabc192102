-- Where a change came from: the address of the admin, and the trace id of the request.
ALTER TABLE change ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE change ADD COLUMN trace_id TEXT NOT NULL DEFAULT '';
