export const REDIS_URL: string

export function redisProblem(url?: string): Promise<string | undefined>

export function removeKeys(prefix: string, url?: string): Promise<void>
