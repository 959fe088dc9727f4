import type { RequestListener } from 'node:http'
import type { Server } from 'node:net'

/** Serves for the length of a test. Resolves to the URL. */
export function serving(listener: RequestListener | Server): Promise<string>
