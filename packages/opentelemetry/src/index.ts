export { type InstrumentationOptions, instrumentWebhooks } from './instrument.ts'
