import type { Framework } from '../framework.ts'
import { webServer } from '../web-server.ts'

export const bun: Framework = {
  title: 'Bun',
  foundBy: ['@types/bun'],
  packages: { run: [], develop: ['@types/bun', 'typescript'] },
  start: 'bun server.ts',
  readsEnvFile: true,
  compiler: { module: 'preserve', types: ['bun'] },
  application: (parts, layout) => webServer(parts, layout, 'bun'),
}
