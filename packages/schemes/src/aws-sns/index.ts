export { type AwsSnsOptions, awsSns } from './scheme.ts'
