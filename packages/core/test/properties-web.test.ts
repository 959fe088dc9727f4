import { vi } from 'vitest'

vi.mock('#mac', () => import('../src/mac-web.ts'))
vi.mock('#text', () => import('../src/text-web.ts'))

await import('./properties.test.ts')
