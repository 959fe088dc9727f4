/** The values that the store writes, as DynamoDB has them on the wire. */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly BOOL: boolean }

/** The input of UpdateItem, the one operation that the store needs. */
export interface UpdateItemInput {
  TableName: string
  Key: Record<'key', AttributeValue>
  UpdateExpression: string
  ConditionExpression: string
  ExpressionAttributeNames: Record<string, string>
  ExpressionAttributeValues?: Record<string, AttributeValue>
  ReturnValues: 'ALL_NEW'
  ReturnValuesOnConditionCheckFailure: 'NONE' | 'ALL_OLD'
}

/** Sends an UpdateItem and resolves to its output; rejects with the error of the client. */
export type UpdateItem = (input: UpdateItemInput) => Promise<unknown>

/** The attributes of an item, beside its key. */
export const NAMES = {
  '#token': 'token',
  '#done': 'done',
  /** In milliseconds since the epoch: DynamoDB deletes late, so that the store looks by itself. */
  '#expires_at': 'expires_at',
  /** In seconds, as DynamoDB wants it of the attribute by which it deletes. */
  '#ttl': 'ttl',
  /** No item has it. */
  '#nothing': 'nothing',
} as const

/** The names and the values that an expression uses: DynamoDB rejects others. */
export function used<Value>(
  expression: string,
  all: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const words: readonly string[] = expression.match(/[#:]\w+/g) ?? []
  return Object.fromEntries(Object.entries(all).filter(([word]) => words.includes(word)))
}

/** Whether an UpdateItem was rejected because its condition does not hold. */
export function isConditionFailure(error: unknown): boolean {
  return Object(error).name === 'ConditionalCheckFailedException'
}
