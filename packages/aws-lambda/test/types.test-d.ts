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
expectTypeOf<APIGatewayProxyEvent>().toExtend<LambdaEvent>()
expectTypeOf<APIGatewayProxyEventV2>().toExtend<LambdaEvent>()
expectTypeOf<LambdaFunctionURLEvent>().toExtend<LambdaEvent>()
expectTypeOf<ALBEvent>().toExtend<LambdaEvent>()
expectTypeOf<SQSEvent>().not.toExtend<LambdaEvent>()

// One function fits the handler of each form.
const handler = webhookHandler('whsec_types', (delivery, { request, verification }) => {
  expectTypeOf(delivery).toEqualTypeOf<Delivery>()
  expectTypeOf(request).toEqualTypeOf<LambdaEvent>()
  expectTypeOf(verification).toEqualTypeOf<Verification>()
})
handler satisfies APIGatewayProxyHandler
handler satisfies APIGatewayProxyHandlerV2
handler satisfies LambdaFunctionURLHandler
handler satisfies ALBHandler

type Result = Awaited<ReturnType<typeof handler>>
expectTypeOf<Result>().toExtend<APIGatewayProxyResult>()
expectTypeOf<Result>().toExtend<APIGatewayProxyResultV2>()
expectTypeOf<Result>().toExtend<ALBResult>()

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
