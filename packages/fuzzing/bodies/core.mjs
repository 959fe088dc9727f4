import { register } from 'node:module'

const CORE = new URL('../../core/', import.meta.url)

/** The published bundles, and inner modules, which the bundles do not export. */
const PARTS = [
  ...['index.js', 'adapter.js', 'mac-web.js'].map((file) => `dist/${file}`),
  ...['parse/json.js', 'verify/timestamp.js', 'verify/headers.js'].map((file) => `.tsc/${file}`),
]

/** The built core, with the backend of Node or of the other runtimes. A process can load only one of them. */
export async function loadCore(backend) {
  if (backend === 'web') register('@webhook-receiver/tools/web-backend.mjs', import.meta.url)
  const parts = await Promise.all(PARTS.map((file) => import(new URL(file, CORE).href)))
  return Object.assign({}, ...parts)
}
