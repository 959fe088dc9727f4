import { vi } from 'vitest'

vi.mock('#mac', () => import('../src/verify/mac-web.ts'))

await import('./properties.test.ts')
