import { testTable } from './table.ts'

testTable('node:crypto')
