// Module hooks that give core its WebCrypto backend on Node, too.

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  const [, what] = /^#(mac|text)$/.exec(specifier) ?? []
  if (what === undefined) return nextResolve(specifier, context)
  return nextResolve(new URL(`./${what}-web.js`, context.parentURL).href, context)
}
