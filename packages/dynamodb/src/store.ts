import type { Claim, DeliveryStore } from '@webhook-receiver/core'
import { checkLease, checkStoreOptions, madeBy } from '@webhook-receiver/core/store'
import { claimOf } from './claim.ts'
import { type DynamodbStoreOptions, OPTIONS } from './options.ts'
import { type AttributeValue, isConditionFailure, NAMES, used } from './update-item.ts'

const FREE = 'attribute_not_exists(#expires_at) OR #expires_at <= :now'
const OWNED = '#token = :token'
const LEASED = '#token = :token AND #done = :false'
const END = '#expires_at = :end, #ttl = :ttl'

/** Ends an item. It stays until DynamoDB deletes it, since a deletion would need another permission. */
const DROP = `SET ${END} REMOVE #token`

/** How often a claim is tried, where what stood in its way was deleted before it could be read. */
const ATTEMPTS = 3

/**
 * A store in a DynamoDB table, for any number of processes. Each delivery is one item. Each step is an UpdateItem with a
 * condition, and uses the clock of its process.
 *
 * Clients retry a step after a lost connection. For every step except `release` and `forget`, the second result is the
 * same as the first.
 *
 * @throws TypeError for an invalid option; it says what to write instead.
 * @example
 * const store = dynamodbStore({ update: (input) => dynamodb.updateItem(input) })
 */
export function dynamodbStore(options: DynamodbStoreOptions): DeliveryStore {
  const { update, table, retention, now } = checkStoreOptions<DynamodbStoreOptions>(
    options,
    OPTIONS,
    '{ update: (input) => dynamodb.updateItem(input) }',
  )

  /** Changes an item if the condition holds. Resolves to what it is then, or to why it was not changed. */
  async function change(key: string, step: Step): Promise<Changed> {
    const { action, condition, token = '', seconds = 0 } = step
    const time = now()
    const end = time + seconds * 1000
    const values: Record<string, AttributeValue> = {
      ':token': { S: token },
      ':now': { N: String(time) },
      ':end': { N: String(end) },
      ':ttl': { N: String(Math.ceil(end / 1000)) },
      ':true': { BOOL: true },
      ':false': { BOOL: false },
    }
    const words = `${action} ${condition}`
    const usedValues = used(words, values)
    try {
      const output = await update({
        TableName: table,
        Key: { key: { S: key } },
        UpdateExpression: action,
        ConditionExpression: condition,
        ExpressionAttributeNames: used(words, NAMES),
        ...(Object.keys(usedValues).length > 0 && { ExpressionAttributeValues: usedValues }),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      })
      return { changed: true, item: attributesOf(output) }
    } catch (error) {
      if (isConditionFailure(error)) return { changed: false, item: Object(error).Item }
      throw error
    }
  }

  async function claim(key: string, token: string, seconds: number): Promise<Claim> {
    const action = `SET ${OWNED}, #done = :false, ${END}`
    const condition = `${FREE} OR (${LEASED})`
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { changed, item } = await change(key, { action, condition, token, seconds })
      if (changed) return { status: 'claimed' }
      const found = item ?? (await read(key))
      if (found !== undefined) return claimOf(found, now())
    }
    throw new Error('DynamoDB rejected a claim as if the item existed, and then had no such item.')
  }

  /** For emulators that do not say why a condition failed. It changes nothing, and needs no other permission. */
  async function read(key: string): Promise<unknown> {
    const step = { action: 'REMOVE #nothing', condition: 'attribute_exists(#expires_at)' }
    return (await change(key, step)).item
  }

  async function isChanged(key: string, step: Step): Promise<boolean> {
    return (await change(key, step)).changed
  }

  return madeBy<DeliveryStore>('@webhook-receiver/dynamodb', 'store', {
    claim: async (key, token, lease) => claim(key, token, checkLease(lease)),
    complete: (key, token) =>
      isChanged(key, {
        ...{ action: `SET #done = :true, ${END}`, condition: OWNED },
        ...{ token, seconds: retention },
      }),
    release: (key, token) => isChanged(key, { action: DROP, condition: LEASED, token }),
    extend: async (key, token, lease) =>
      isChanged(key, {
        ...{ action: `SET ${END}`, condition: LEASED },
        ...{ token, seconds: checkLease(lease) },
      }),
    forget: (key) =>
      isChanged(key, { action: DROP, condition: '#done = :true AND #expires_at > :now' }),
  })
}

/**
 * The item as it is after the change, which is the only evidence of it: a function that did not wait for the client, hides its
 * error or returns a response over HTTP would make every claim succeed.
 */
function attributesOf(output: unknown): unknown {
  const { Attributes } = Object(output)
  if ('key' in Object(Attributes)) return Attributes
  throw new Error(
    'The option `update` resolved to something without the `Attributes` of the item. Return what the client returns, and let its errors through: update: (input) => dynamodb.updateItem(input).',
  )
}

interface Step {
  readonly action: string
  readonly condition: string
  readonly token?: string
  /** How long the item is to last from now. */
  readonly seconds?: number
}

interface Changed {
  readonly changed: boolean
  readonly item: unknown
}
