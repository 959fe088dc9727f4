export { asking, within } from '../deadline.ts'
