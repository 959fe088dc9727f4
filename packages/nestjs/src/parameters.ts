import { createParamDecorator, type ExecutionContext } from '@nestjs/common'
import type {
  DeliverySchemas,
  Received,
  Delivery as VerifiedDelivery,
  Verification as VerifiedVerification,
} from '@webhook-receiver/core'
import { type NoSchemas, requireAttached } from '@webhook-receiver/core/adapter'

/**
 * The verified delivery, as a parameter of a method with `@WebhookEndpoint()`: `@Delivery() delivery: Delivery`.
 * On any other route it throws a WebhookError, `delivery_missing` (500).
 */
export const Delivery: () => ParameterDecorator = parameterOf('delivery')

/** The type of a verified delivery. With `schemas`: `Delivery<typeof schemas>`. */
export type Delivery<
  Schemas extends DeliverySchemas = NoSchemas,
  ExtraEvent extends string = never,
> = VerifiedDelivery<Schemas, ExtraEvent>

/**
 * How the delivery was verified, and its bytes, as a parameter of a method with `@WebhookEndpoint()`:
 * `@Verification() verification: Verification`. On any other route it throws a WebhookError, `delivery_missing` (500).
 */
export const Verification: () => ParameterDecorator = parameterOf('verification')

/** The type of a parameter with `@Verification()`. */
export type Verification = VerifiedVerification

function parameterOf(member: keyof Received): () => ParameterDecorator {
  const decorate = createParamDecorator((_: unknown, context: ExecutionContext) => {
    const request: AttachedRequest = context.switchToHttp().getRequest()
    const { method, originalUrl: url } = request
    requireAttached(request.delivery, { method, url, advice: ADVICE })
    return request[member]
  })
  return function parameter() {
    return (target, key, index) => {
      decorate()(target, key, index)
      // Compilers that see one file only take the name of the type for a class. Pipes would then make an instance of it.
      const types = Reflect.getMetadata('design:paramtypes', target, key ?? '')
      if (types?.[index] === parameter) types[index] = Object
    }
  }
}

const ADVICE = 'Add @WebhookEndpoint() to the method.'

interface AttachedRequest extends Partial<Received> {
  readonly method: string
  readonly originalUrl: string
}
