import { printHandlerFailure, WebhookError } from '@webhook-receiver/core/adapter'
import { cutShort, refuse } from '@webhook-receiver/node'
import type { NextFunction, Request, Response } from 'express'
import { layersOf, routerOf } from './router-stack.ts'

/** Where a request is: which application has it, and which of its routes. */
type MountPoint = Pick<Request, 'app' | 'route'>

/** Where a request was when its delivery was received: an application behind may have it by now. */
const RECEIVED_AT: unique symbol = Symbol('received at')

interface Marked extends MountPoint {
  [RECEIVED_AT]?: MountPoint
}

export function markReceived(req: Marked): void {
  req[RECEIVED_AT] = { app: req.app, route: req.route }
}

export function isReceived(req: Marked): boolean {
  return req[RECEIVED_AT] !== undefined
}

/**
 * Hands an error to the application's error handlers, by `next(error)`. Where it has none, the error is
 * answered here: Express itself would print a stack for each, so that a flood of forgeries floods the log.
 */
export function passError(error: unknown, req: Marked, res: Response, next: NextFunction): void {
  if (!(error instanceof WebhookError) || [req, req[RECEIVED_AT]].some(hasErrorHandler)) {
    next(error)
    return
  }
  if (error.reason === 'handler_failed') printHandlerFailure(error, res.headersSent)
  if (res.headersSent) cutShort(res)
  else refuse(res, error)
}

/** Whether a function of four arguments is mounted where it may see the errors of a request. */
function hasErrorHandler(place: MountPoint | undefined): boolean {
  if (!place) return false
  const { app, route } = place
  // A router without an application hands its errors to whoever called it.
  if (!app || handlesErrors(route)) return true
  for (let owner: unknown = app; isApplication(owner); owner = Reflect.get(owner, 'parent')) {
    if (handlesErrors(routerOf(owner))) return true
  }
  return false
}

function isApplication(value: unknown): value is Request['app'] {
  return typeof value === 'function'
}

function handlesErrors(owner: unknown, seen = new Set<unknown>()): boolean {
  // A router can be mounted on itself.
  if (seen.has(owner)) return false
  seen.add(owner)
  return layersOf(owner).some(
    ({ handle }) =>
      typeof handle === 'function' && (handle.length === 4 || handlesErrors(handle, seen)),
  )
}
