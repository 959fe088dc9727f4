// Module hooks that give core its WebCrypto backend on Node: register('@webhook-receiver/trials/web-backend.mjs', import.meta.url).

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context)
  return specifier === '#mac' ? { ...found, url: found.url.replace('mac-node', 'mac-web') } : found
}
