// Every way that we know of to route a request to a path. Each calls `ran` with its name, and lets the request go on.
import { parse } from 'node:url'

/** How applications compare a path by hand. Each reads a path from a request target. */
const READINGS = {
  'split at ?': (target) => target.split('?')[0],
  'url.parse': (target) => parse(target).pathname,
  'url.parse, slashes denote host': (target) => parse(target, false, true).pathname,
  'new URL': (target) => new URL(target, 'http://localhost').pathname,
  decodeURI: (target) => decodeURI(target.split('?')[0]),
  'decodeURIComponent, new URL': (target) =>
    new URL(decodeURIComponent(target.split('?')[0]), 'http://localhost').pathname,
}

/** A comparison by hand: the names of the readings that bring a target to a path. */
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

/** Whether a path that was read is at a path or below it, in any case, as routers have it. */
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
