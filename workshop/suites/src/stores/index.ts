export { describeLeases } from './leases.ts'
export { createContenders, describeProcesses } from './processes.ts'
export { describeTables } from './tables.ts'
export { describeTransactions } from './transactions.ts'
