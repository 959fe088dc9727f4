/** Headers or the query as an event has them: the keys of headers are as the sender wrote them, or in lower case. */
type EventHeaders<Value> = { readonly [name: string]: Value | undefined } | null | undefined

/**
 * An HTTP request as Lambda gets it, as far as it is needed: from API Gateway (REST, HTTP with the payload format 1.0 or
 * 2.0), from a Function URL, or from an Application Load Balancer. The types of `@types/aws-lambda` fit.
 */
export interface LambdaEvent {
  readonly headers?: EventHeaders<string>
  readonly multiValueHeaders?: EventHeaders<readonly string[]>
  readonly body?: string | null | undefined
  readonly isBase64Encoded?: boolean | undefined
  /** In the payload format 1.0 and from a load balancer. */
  readonly httpMethod?: string | undefined
  readonly path?: string | undefined
  readonly queryStringParameters?: EventHeaders<string>
  readonly multiValueQueryStringParameters?: EventHeaders<readonly string[]>
  /** In the payload format 2.0, which a Function URL has too. */
  readonly rawPath?: string | undefined
  readonly rawQueryString?: string | undefined
  readonly requestContext: {
    readonly http?:
      | { readonly method: string; readonly path?: string; readonly sourceIp?: string }
      | undefined
    readonly identity?: { readonly sourceIp?: string } | undefined
    /** From API Gateway: with the stage, as in the URL. */
    readonly path?: string | undefined
    /** From a load balancer. */
    readonly elb?: object | undefined
  }
}

/** A response in the form that the source of the event takes. */
export interface LambdaResult {
  statusCode: number
  /** For a load balancer. */
  statusDescription?: string
  headers?: { [name: string]: string }
  /** For a load balancer whose target group has multi-value headers. */
  multiValueHeaders?: { [name: string]: string[] }
  body: string
  isBase64Encoded: boolean
}

/** The method of an event's request. */
export function methodOf({ httpMethod, requestContext }: LambdaEvent): string {
  return requestContext.http?.method ?? httpMethod ?? ''
}

/**
 * Rejects an event that is not an HTTP request: nobody waits for an HTTP response to it, and the invocation has to fail. Rejects a
 * stream instead of a context, too: the runtime would fail the invocation, after the delivery was handled.
 *
 * @throws TypeError that says what the event looks like, and quotes nothing of it.
 */
export function assertHttpEvent(event: unknown, context: unknown): asserts event is LambdaEvent {
  if (typeof at(context, 'write') === 'function') {
    throw new TypeError(
      'Export webhookHandler without streamifyResponse, which ignores its response.',
    )
  }
  if (typeof at(event, 'methodArn') === 'string' || typeof at(event, 'routeArn') === 'string') {
    throw new TypeError(
      'The event is for a Lambda authorizer, which gets no body to verify. Use webhookHandler in the function of the route itself.',
    )
  }
  if (isHttpEvent(event)) return
  throw new TypeError(
    `The event is not an HTTP request: ${kindOf(event)}. webhookHandler is for API Gateway (REST and HTTP, with proxy integration), Function URLs and Application Load Balancers.`,
  )
}

export function isHttpEvent(event: unknown): event is LambdaEvent {
  const requestContext = at(event, 'requestContext')
  const method = at(at(requestContext, 'http'), 'method') ?? at(event, 'httpMethod')
  return typeof method === 'string' && typeof requestContext === 'object' && requestContext !== null
}

function kindOf(event: unknown): string {
  // Those of Kafka and Amazon MQ name it once for all records.
  const record = at(at(event, 'Records'), '0') ?? event
  const source = at(record, 'eventSource') ?? at(record, 'EventSource')
  if (typeof source === 'string' && SOURCE.test(source)) return from(source)
  if (at(record, 'cf') !== undefined) return from('Lambda@Edge')
  const detail = at(event, 'detail-type')
  if (typeof detail === 'string') return from('EventBridge')
  const requestContext = at(event, 'requestContext')
  if (at(requestContext, 'connectionId') !== undefined) return from('a WebSocket API')
  if (requestContext !== undefined) return 'its `requestContext` names no method'
  if (typeof at(event, 'httpMethod') === 'string') return 'it has no `requestContext`'
  return 'it may be a direct invocation, or an integration without proxy'
}

function from(source: string): string {
  return `it comes from ${source}`
}

/** `aws:sqs` and the like, and nothing that was made up. */
const SOURCE = /^aws:[\w:-]{1,40}$/

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
