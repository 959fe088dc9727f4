import type { Request } from 'express'

/** A layer of an Express router or route, as both majors have it. */
export interface Layer {
  readonly handle?: unknown
  readonly name?: string
}

/** The layers of a router, an application's or one of its own, or of a route; none of anything else. */
export function layersOf(owner: unknown): readonly Layer[] {
  const { stack } = (owner ?? {}) as { readonly stack?: unknown }
  return Array.isArray(stack) ? stack : []
}

/** The router of an application. */
export function routerOf(app: Request['app']): unknown {
  // In this order: in Express 4 `router` throws.
  return Reflect.get(app, '_router') ?? Reflect.get(app, 'router')
}
