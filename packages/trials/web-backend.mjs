// Module hooks that give core its WebCrypto backend on Node: register('@webhook-receiver/trials/web-backend.mjs', import.meta.url).

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  if (specifier !== '#mac') return nextResolve(specifier, context)
  return nextResolve(new URL('./mac-web.js', context.parentURL).href, context)
}
