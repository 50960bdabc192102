-- One job for wrk, configured by the environment; its result is the last line of its output, as JSON.
wrk.method = 'POST'
wrk.headers['authorization'] = 'Bearer ' .. os.getenv('TOKEN')
wrk.headers['content-type'] = 'application/json'
wrk.body = os.getenv('BODY')

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local line = '{"requests":%d,"seconds":%.6f,"failed":%d,"p50":%.0f,"p99":%.0f}\n'
  local p50, p99 = latency:percentile(50), latency:percentile(99)
  io.write(string.format(line, summary.requests, summary.duration / 1e6, failed, p50, p99))
end
