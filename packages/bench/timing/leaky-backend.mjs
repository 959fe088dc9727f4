// Module hooks that add a leak to a backend of core that is imported with the query `leaky`.
import { basename } from 'node:path'

/** The comparison of each backend, and one that ends at the first difference. */
const LEAKS = {
  'mac-node.js?leaky': [
    'crypto.timingSafeEqual(expected, received)',
    "expected.toString('hex') === signature",
  ],
  'mac-web.js?leaky': [
    'difference |= (left[index] ?? 0) ^ (right[index] ?? 0);',
    'if (left[index] !== right[index]) return false;',
  ],
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context)
  const leak = LEAKS[basename(url)]
  if (!leak) return loaded
  const [comparison, instead] = leak
  const source = loaded.source.toString()
  if (!source.includes(comparison)) {
    console.error(
      `  There is no \`${comparison}\` in ${basename(url)}: the control is the backend itself.`,
    )
  }
  return { ...loaded, source: source.replace(comparison, instead) }
}
