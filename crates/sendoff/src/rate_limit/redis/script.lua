-- One caller's rate window. KEYS[1] holds "start count".
-- ARGV: what is asked, its cost, the limit, the window's length, the hold time, the day's offset, 1 where midnight
-- carries, the time, empty for the server's own, and the deadline, absent for none. All times in milliseconds, up to
-- 8.64e15: below 2^53 they are exact, and so is the floor of their quotient by a day.
local ask, cost, limit, length = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local hold, offset, carry, now = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7] == '1', tonumber(ARGV[8])
local deadline = tonumber(ARGV[9] or '')
if not now then
  local clock = redis.call('TIME')
  now = clock[1] * 1000 + math.floor(clock[2] / 1000)
end
local DAY = 86400000
local function day_of(time) return math.floor((time + offset) / DAY) end

local ANCHORED, ROLLED, SAME, HELD, STEPPED_BACK = 0, 1, 2, 3, 4
local phase, start, count = ANCHORED, now, 0
local value = redis.pcall('GET', KEYS[1])
if value then
  -- The error of a key of another type is a table.
  local is_other = type(value) == 'table' and string.find(value.err, 'WRONGTYPE', 1, true)
  if type(value) == 'table' and not is_other then return value end
  local first, second = string.match(is_other and '' or value, '^(-?%d+) (%d+)$')
  if not first then return redis.error_reply('SENDOFF expected `start count` in ' .. KEYS[1]) end
  local kept, taken = tonumber(first), tonumber(second)
  local elapsed = now - kept
  local runs = elapsed >= 0 and elapsed < length
  if day_of(now) > day_of(kept) and not (runs and carry) then
    phase = ANCHORED
  elseif runs then
    phase, start, count = SAME, kept, taken
  elseif elapsed > 0 then
    phase, start = ROLLED, now - math.fmod(elapsed, length)
  elseif -elapsed <= hold then
    phase, start, count = HELD, kept, taken
  else
    phase = STEPPED_BACK
  end
end

-- At its deadline and later a request changes nothing, and nothing is granted: its sender has given it up.
if deadline and now >= deadline then return { phase, 0, now, start, count } end

local granted = -1
if ask == 'touch' then
  granted = 0
elseif count + cost <= limit then
  granted = cost
elseif ask == 'lease' and count < limit then
  granted = limit - count
end
count = count + math.max(granted, 0)

-- A refusal writes nothing. The time to live only clears away what has no meaning any more, even where the clock steps
-- back as far as it is held for.
if ask ~= 'peek' then
  local state = string.format('%.0f %.0f', start, count)
  if phase == ANCHORED or phase == STEPPED_BACK then
    local rest = (day_of(now) + 1) * DAY - offset - now
    if carry then rest = rest + length end
    redis.call('SET', KEYS[1], state, 'PX', string.format('%.0f', rest + math.max(hold, 600000)))
  elseif granted > 0 then
    redis.call('SET', KEYS[1], state, 'KEEPTTL')
  end
end
return { phase, granted, now, start, count }
