import { vi } from 'vitest'
import { testTable } from './table.ts'

vi.mock('#mac', () => import('../../src/verify/mac-web.ts'))

testTable('WebCrypto')
