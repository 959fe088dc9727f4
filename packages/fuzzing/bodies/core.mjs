import { register } from 'node:module'

const CORE = new URL('../../core/', import.meta.url)

/** What is published, and inner parts, which are no files of their own there. */
const PARTS = [
  ...['index.js', 'adapter.js', 'mac-web.js'].map((file) => `dist/${file}`),
  ...['parse/json.js', 'verify/timestamp.js', 'verify/headers.js'].map((file) => `.tsc/${file}`),
]

/** Core as it was built, with the backend of Node or of the other runtimes; one backend in a thread. */
export async function loadCore(backend) {
  if (backend === 'web') register('./web-backend.mjs', import.meta.url)
  const parts = await Promise.all(PARTS.map((file) => import(new URL(file, CORE).href)))
  return Object.assign({}, ...parts)
}
