import { defineConfig } from 'vite'

export default defineConfig({
  // The page may be served from anywhere: the gateway does so below /playground/.
  base: './',
  build: {
    target: 'es2022',
    // A data: address would need a hole in the page's policy.
    assetsInlineLimit: 0,
    rolldownOptions: { input: ['index.html', 'second.html'] },
    modulePreload: { polyfill: false },
  },
})
