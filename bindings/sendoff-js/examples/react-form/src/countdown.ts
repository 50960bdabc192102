import { useEffect, useState } from 'react'

/** The whole seconds until a call may be sent again, rounded up; 0 if it may. `wait` starts the countdown. */
export function useCountdown(): readonly [seconds: number, wait: (seconds: number) => void] {
  const [until, setUntil] = useState(0)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    // The monotonic clock, because a user may change the system clock.
    const tick = () => setSeconds(Math.max(0, Math.ceil((until - performance.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 200)
    return () => clearInterval(timer)
  }, [until])
  const wait = (seconds: number) => {
    setSeconds(seconds)
    setUntil(performance.now() + seconds * 1000)
  }
  return [seconds, wait]
}
