import { madePages } from '../../made.mjs'

export default {
  paths: () =>
    Object.entries(madePages()).map(([page, content]) => ({ params: { page }, content })),
}
