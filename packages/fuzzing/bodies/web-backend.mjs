// Module hooks that give core the files of other runtimes: WebCrypto and TextDecoder.

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  if (!/^#(mac|text)$/.test(specifier)) return nextResolve(specifier, context)
  return nextResolve(new URL(`./${specifier.slice(1)}-web.js`, context.parentURL).href, context)
}
