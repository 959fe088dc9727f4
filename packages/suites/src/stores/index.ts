export { describeLeases } from './leases.ts'
export { describeProcesses } from './processes.ts'
export { describeTransactions } from './transactions.ts'
