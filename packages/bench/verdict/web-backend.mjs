// Module hooks that give core what it has where there is no Node: WebCrypto, and TextDecoder.

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  if (specifier !== '#mac' && specifier !== '#text') return nextResolve(specifier, context)
  return nextResolve(new URL(`./${specifier.slice(1)}-web.js`, context.parentURL).href, context)
}
