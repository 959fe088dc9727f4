export { describeLeases } from './leases.ts'
export { createContenders, describeProcesses } from './processes.ts'
export { describeTransactions } from './transactions.ts'
