import { register } from 'node:module'

const DIST = new URL('../../packages/core/dist/', import.meta.url)

/** Core as it was built, with the backend of Node or of the other runtimes; one backend in a thread. */
export async function loadCore(backend) {
  if (backend === 'web') register('./web-backend.mjs', import.meta.url)
  const parts = await Promise.all(
    ['index', 'adapter', 'parse/json', 'verify/timestamp', 'verify/headers', 'verify/mac-web'].map(
      (part) => import(new URL(`${part}.js`, DIST).href),
    ),
  )
  return Object.assign({}, ...parts)
}
