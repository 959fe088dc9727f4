// How applications compare paths by hand, and how routers may split one.
import { parse } from 'node:url'

/** Ways to read a path from a request target. */
const READINGS = {
  'split at ?': (target) => target.split('?')[0],
  'url.parse': (target) => parse(target).pathname,
  'url.parse, slashes denote host': (target) => parse(target, false, true).pathname,
  'new URL': (target) => new URL(target, 'http://localhost').pathname,
  decodeURI: (target) => decodeURI(target.split('?')[0]),
  'decodeURIComponent, new URL': (target) =>
    new URL(decodeURIComponent(target.split('?')[0]), 'http://localhost').pathname,
}

/** The names of the ways by which a target is at a path. */
export function* readAs(path, target) {
  for (const [name, read] of Object.entries(READINGS)) {
    let found
    try {
      found = read(target)
    } catch {
      continue
    }
    if (isAt(path, found)) yield name
  }
}

/** Whether a path is at another one or below it, case-insensitively, as for routers. */
export function isAt(path, found) {
  const read = found?.toLowerCase()
  return read === path || read === `${path}/` || read?.startsWith(`${path}/`)
}

/** Each way to cut a path into a prefix for a mount and the rest: `/api` and `/v1/webhooks`. */
export function splits(path) {
  const names = path.split('/').slice(1)
  return names.slice(1).map((_, index) => {
    const cut = index + 1
    return [`/${names.slice(0, cut).join('/')}`, `/${names.slice(cut).join('/')}`]
  })
}
