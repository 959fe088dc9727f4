import type { Framework } from '../framework.ts'
import { webServer } from '../web-server.ts'

export const workers: Framework = {
  title: 'Workers',
  aliases: ['cloudflare-workers', 'wrangler'],
  foundBy: ['wrangler', '@cloudflare/workers-types', '@cloudflare/vite-plugin'],
  packages: { run: [], develop: ['wrangler', 'typescript'] },
  isBundled: true,
  start: 'wrangler dev --port 3000',
  compiler: { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'webworker'] },
  settings: {
    'wrangler.jsonc':
      '{\n  "name": "webhooks",\n  "main": "index.ts",\n  "compatibility_date": "2026-01-01",\n  "compatibility_flags": ["nodejs_compat"]\n}\n',
  },
  application: (parts, layout) => webServer(parts, layout, 'workers'),
}
