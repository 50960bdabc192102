'use client'

import { readText } from 'sendoff'
import { useEffect } from 'react'
import { run } from '../../run.mjs'

export function Client() {
  useEffect(() => {
    globalThis.onPage = run
  }, [])
  // What is for the page is rendered on the server first.
  const answer = typeof window === 'undefined' ? readText('quantity', '0x10').decimal : ''
  return <p suppressHydrationWarning>{answer}</p>
}
