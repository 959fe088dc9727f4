import type { VectorCase, VectorStep } from '../vectors.ts'
import { Connection, type Reply } from './connection.ts'
import { exchange, hardTimeout } from './exchange.ts'
import { bodyBytes } from './request.ts'

/** What a client saw of one request. */
export interface Observed {
  /** A status, or `closed`, `cut`, `garbage`, `timeout`. */
  readonly outcome: string
}

/** Plays a case against `port` on sockets of its own: one observation, or one for each step. */
export async function play(vector: VectorCase, port: number): Promise<Observed[]> {
  const steps = vector.steps
  if (steps === undefined) return [await single(vector, port)]
  if (vector.expect[0] === 'concurrent') {
    return Promise.all(steps.map(async (step) => (await sequence([step], port))[0] ?? unseen))
  }
  return vector.expect[0] === 'pipeline' ? pipeline(steps, port) : sequence(steps, port)
}

const unseen: Observed = { outcome: 'closed' }

async function single(vector: VectorCase, port: number): Promise<Observed> {
  const started = performance.now()
  const deadline = started + (vector.send?.max_seconds ?? hardTimeout / 1000) * 1000
  const connection = await Connection.open(port)
  try {
    const reply = await exchange(connection, vector, deadline)
    return observe(reply)
  } finally {
    connection.close()
  }
}

async function sequence(steps: readonly VectorStep[], port: number): Promise<Observed[]> {
  const observed: Observed[] = []
  let connection = await Connection.open(port)
  try {
    for (const [index, step] of steps.entries()) {
      if (index > 0 && step.new_connection === true) {
        connection.close()
        connection = await Connection.open(port)
      }
      const started = performance.now()
      void connection.write(stepBytes(step))
      observed.push(observe(await connection.finalReply(method(step), started + hardTimeout)))
    }
  } finally {
    connection.close()
  }
  return observed
}

async function pipeline(steps: readonly VectorStep[], port: number): Promise<Observed[]> {
  const observed: Observed[] = []
  const connection = await Connection.open(port)
  const started = performance.now()
  try {
    void connection.write(Buffer.concat(steps.map(stepBytes)))
    for (const step of steps) {
      observed.push(observe(await connection.finalReply(method(step), started + hardTimeout)))
    }
  } finally {
    connection.close()
  }
  return observed
}

function stepBytes(step: VectorStep): Buffer {
  const raw = Buffer.from(step.raw_base64, 'base64')
  return step.body === undefined ? raw : Buffer.concat([raw, bodyBytes(step.body)])
}

function method(step: VectorStep): string {
  return Buffer.from(step.raw_base64, 'base64').toString('latin1', 0, 16).split(' ')[0] ?? ''
}

function observe(reply: Reply): Observed {
  return { outcome: typeof reply === 'string' ? reply : String(reply.status) }
}
