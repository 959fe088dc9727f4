import type { Framework } from '../framework.ts'
import { bun } from './bun.ts'

export const deno: Framework = {
  title: 'Deno',
  foundBy: [],
  packages: { run: [], develop: [] },
  isDeno: true,
  // The packages of a database read files, and ask for the name of the host.
  start:
    'deno serve --port 3000 --env-file --allow-env --allow-net --allow-read --allow-sys server.ts',
  readsEnvFile: true,
  // `deno serve` takes what Bun does.
  application: bun.application,
}
