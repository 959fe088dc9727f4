import { defineConfig } from 'vite'

/** The page, ready to be served from any path. The server of `src` reads it from `dist/page`. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // JSX becomes calls of Preact.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    // Its inline script is not allowed by the policy of the page.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The notices that the licences of the bundled packages ask for.
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  logLevel: 'warn',
})
