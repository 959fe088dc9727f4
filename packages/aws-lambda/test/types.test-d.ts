import {
  type Delivery,
  type LambdaContext,
  type LambdaEvent,
  type Verification,
  webhookHandler,
} from '@webhook-receiver/aws-lambda'
import { deliverTo } from '@webhook-receiver/aws-lambda/testing'
import type {
  ALBEvent,
  ALBHandler,
  ALBResult,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  APIGatewayProxyResult,
  APIGatewayProxyResultV2,
  Context,
  LambdaFunctionURLEvent,
  LambdaFunctionURLHandler,
  SQSEvent,
} from 'aws-lambda'
import { expectTypeOf } from 'vitest'

// The events of all forms are taken as they are.
expectTypeOf<
  APIGatewayProxyEvent | APIGatewayProxyEventV2 | LambdaFunctionURLEvent | ALBEvent
>().toExtend<LambdaEvent>()
expectTypeOf<SQSEvent>().not.toExtend<LambdaEvent>()

// One function fits the handler of each form.
const handler = webhookHandler('whsec_types', (delivery, { request, verification }) => {
  expectTypeOf({ delivery, request, verification }).toEqualTypeOf<{
    delivery: Delivery
    request: LambdaEvent
    verification: Verification
  }>()
})
handler satisfies APIGatewayProxyHandler
handler satisfies APIGatewayProxyHandlerV2
handler satisfies LambdaFunctionURLHandler
handler satisfies ALBHandler

expectTypeOf<Awaited<ReturnType<typeof handler>>>().toExtend<
  APIGatewayProxyResult & APIGatewayProxyResultV2 & ALBResult
>()

declare const context: Context
declare const event: APIGatewayProxyEventV2
void handler(event, context)
void deliverTo(handler, 'message.read', {}, { form: 'alb' })
// @ts-expect-error there is no such form
void deliverTo(handler, 'message.read', {}, { form: 'sqs' })

// The type of the event comes from the secret function, and is that of the handler.
const typed = webhookHandler(
  (request: APIGatewayProxyEventV2) => request.stageVariables?.secret ?? '',
  (_delivery, { request }) => {
    expectTypeOf(request).toEqualTypeOf<APIGatewayProxyEventV2>()
  },
)
typed satisfies APIGatewayProxyHandlerV2

webhookHandler(
  'whsec_types',
  (_delivery, { args }) => {
    expectTypeOf(args[0]).toEqualTypeOf<LambdaContext | undefined>()
  },
  { deadlineMargin: 1 },
)
