export { after, asking, within } from '../deadline.ts'
