import { vi } from 'vitest'

vi.mock('#mac', () => import('../src/mac-web.ts'))

await import('./properties.test.ts')
