import { register } from 'node:module'

const CORE = import.meta.resolve('@webhook-receiver/core/package.json')

/**
 * The published bundles, and two modules that are in them but that they do not export. A condition in `exports` for these two
 * would be published, and name files that no tarball has; so they come from what `tsc` wrote beside the bundles.
 */
const PARTS = [
  ...['index.js', 'adapter.js', 'internal.js', 'mac-web.js'].map((file) => `dist/${file}`),
  ...['parse/json.js', 'verify/body-headers.js'].map((file) => `.tsc/${file}`),
]

/** The built core, with the backend of Node or of the other runtimes. A process can load only one of them. */
export async function loadCore(backend) {
  if (backend === 'web') register('@webhook-receiver/trials/web-backend.mjs', import.meta.url)
  const parts = await Promise.all(PARTS.map((file) => import(new URL(file, CORE).href)))
  const core = Object.assign({}, ...parts)
  /** What a receiver checks before it reads the body. */
  core.checkHeaders = (request, limit) => {
    const head = core.contract.readHead(request)
    core.checkBodyHeaders(request, limit)
    return head
  }
  return core
}
