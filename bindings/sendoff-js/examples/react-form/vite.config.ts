import { defineConfig } from 'vite'

export default defineConfig({
  // React, viem and `sendoff/sign`.
  build: { target: 'es2022', chunkSizeWarningLimit: 1000 },
})
