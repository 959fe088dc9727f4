import {
  applyDecorators,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  HttpCode,
  Inject,
  type NestInterceptor,
  SetMetadata,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common'
import type { Observable } from 'rxjs'
import type { Endpoint } from './endpoint.ts'
import { checkMethod, DEFAULT_NAME, ENDPOINT, tokenOf } from './names.ts'

/**
 * Makes a route receive deliveries. It verifies each request before the method runs, calls the methods with
 * `@OnDelivery`, then the method itself, and responds with 204. If your code throws an error, the status is 500. With a
 * store, the methods with `@OnDelivery` run once for each delivery; the method itself also runs for duplicates.
 *
 * @param name The name of the endpoint, if the application has several.
 *
 * @example
 * @Post()
 * @WebhookEndpoint()
 * receive(@Delivery() delivery: Delivery) {}
 */
export function WebhookEndpoint(name: string = DEFAULT_NAME): MethodDecorator {
  // Without the call, the class comes first.
  if (typeof name !== 'string') throw new TypeError('Write @WebhookEndpoint().')
  const guard = guardOf(name)
  return (target, key, descriptor) => {
    checkMethod('@WebhookEndpoint()', descriptor)
    applyDecorators(
      SetMetadata(ENDPOINT, name),
      UseGuards(guard),
      UseInterceptors(guard),
      ...(hasStatus(descriptor.value) ? [] : [HttpCode(204)]),
    )(target, key, descriptor)
  }
}

/** Whether a method has the status of an `@HttpCode` that stands below, and so was called before. Nest does not say how it keeps that. */
function hasStatus(method: unknown): boolean {
  const probe = { value() {} }
  HttpCode(204)(probe, 'value', { value: probe.value })
  const keys = Reflect.getMetadataKeys(probe.value)
  return keys.some((key) => Reflect.hasMetadata(key, Object(method)))
}

type EndpointGuard = new (endpoint: Endpoint) => CanActivate & NestInterceptor

/** A class for each name, because Nest finds what a guard depends on by the parameters of its constructor. */
function guardOf(name: string): EndpointGuard {
  class WebhookGuard implements CanActivate, NestInterceptor {
    readonly #endpoint: Endpoint

    constructor(endpoint: Endpoint) {
      this.#endpoint = endpoint
    }

    canActivate(context: ExecutionContext): Promise<boolean> {
      return this.#endpoint.receive(context)
    }

    intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
      return this.#endpoint.handle(context, next)
    }
  }
  Inject(tokenOf(name))(WebhookGuard, undefined, 0)
  return WebhookGuard
}
