-- One caller's rate window. KEYS[1] holds "start count".
-- ARGV: what is asked, its cost, the limit, the window's length, the hold time, the day's offset, 1 where midnight
-- carries, the time, empty for the server's own, and the deadline, absent for none. All times in milliseconds, up to
-- 8.64e15: below 2^53 they are exact, and so is their remainder by a day.
-- Arithmetic converts its texts by itself, which takes half the time of `tonumber`, and `%` rounds down, negative or not.
local key, now, carry = KEYS[1], ARGV[8], ARGV[7] == '1'
if now == '' then
  local clock = redis.call('TIME')
  now = clock[1] * 1000 + clock[2] / 1000
  now = now - now % 1
else
  now = now + 0
end
local DAY = 86400000
local since_midnight = (now + ARGV[6]) % DAY

local ANCHORED, ROLLED, SAME, HELD, STEPPED_BACK = 0, 1, 2, 3, 4
local phase, start, count = ANCHORED, now, 0
local value, kept, taken = redis.pcall('GET', key)
if value then
  if type(value) == 'table' then
    -- The error of a key of another type; any other is the answer.
    if not string.find(value.err, 'WRONGTYPE', 1, true) then return value end
    value = ''
  end
  kept, taken = string.match(value, '^(-?%d+ )(%d+)$')
  if not kept then return redis.error_reply('SENDOFF expected `start count` in ' .. key) end
  local from, length = kept + 0, ARGV[4] + 0
  local elapsed = now - from
  local runs = elapsed >= 0 and elapsed < length
  if elapsed > since_midnight and not (runs and carry) then
    phase = ANCHORED
  elseif runs then
    phase, start, count = SAME, from, taken + 0
  elseif elapsed > 0 then
    phase, start = ROLLED, now - elapsed % length
  elseif -elapsed <= ARGV[5] + 0 then
    phase, start, count = HELD, from, taken + 0
  else
    phase = STEPPED_BACK
  end
end

-- At its deadline and later a request changes nothing, and nothing is granted: its sender has given it up.
local deadline = ARGV[9]
if deadline and now >= deadline + 0 then return { phase, 0, now, start, count } end

local ask, granted, limit = ARGV[1], ARGV[2] + 0, ARGV[3] + 0
if ask == 'touch' then
  granted = 0
elseif count + granted > limit then
  granted = ask == 'lease' and count < limit and limit - count or -1
end
if granted > 0 then count = count + granted end

-- A refusal writes nothing. The time to live only clears away what has no meaning any more, even where the clock steps
-- back as far as it is held for.
if ask ~= 'peek' then
  if phase == ANCHORED or phase == STEPPED_BACK then
    local rest = DAY - since_midnight + math.max(ARGV[5] + 0, 600000)
    if carry then rest = rest + ARGV[4] end
    redis.call('SET', key, string.format('%.0f %.0f', start, count), 'PX', string.format('%.0f', rest))
  elseif granted > 0 then
    -- A start that stays is written as it was read: to write a number as text takes longer than all of the above.
    if phase == ROLLED then kept = string.format('%.0f ', start) end
    redis.call('SET', key, kept .. count, 'KEEPTTL')
  end
end
return { phase, granted, now, start, count }
