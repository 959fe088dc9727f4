import { startPages } from '../../start.mjs'

export default {
  paths: () => startPages.map(({ name, content }) => ({ params: { page: name }, content })),
}
