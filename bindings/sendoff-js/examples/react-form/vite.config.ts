import { defineConfig } from 'vite'

export default defineConfig({
  // React, viem and the core, which is 125 kB of it compressed.
  build: { target: 'es2022', chunkSizeWarningLimit: 1000 },
})
