export const DATABASE_URL: string

export function queryPostgres<Row = unknown>(
  text: string,
  values?: readonly unknown[],
  url?: string,
): Promise<Row[]>

export function postgresProblem(url?: string): Promise<string | undefined>
