import { made } from '../made.mjs'
import { fileOnSite } from '../sources.mjs'

export default {
  paths: () =>
    made.map(({ file, content }) => ({
      params: { page: fileOnSite(file).replace(/\.md$/, '') },
      content,
    })),
}
