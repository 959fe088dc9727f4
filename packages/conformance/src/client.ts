export { Connection, type Place, type Reply } from './connection.ts'
export { exchange } from './exchange.ts'
export type { Response } from './response.ts'
export type { VectorRequest, VectorSend } from './vectors.ts'
