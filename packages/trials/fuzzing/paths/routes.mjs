// How routers may split a path.

/** Each way to cut a path into a prefix for a mount and the rest: `/api` and `/v1/webhooks`. */
export function splits(path) {
  const names = path.split('/').slice(1)
  return names.slice(1).map((_, index) => {
    const cut = index + 1
    return [`/${names.slice(0, cut).join('/')}`, `/${names.slice(cut).join('/')}`]
  })
}
