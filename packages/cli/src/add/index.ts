// For the site and the checks, which make servers and tests from the same templates.

export { tokenSchemes } from '../options/index.ts'
export { FRAMEWORKS } from './frameworks/index.ts'
export { newProject } from './new-project.ts'
export { nameOf, oneFileFor, planFor } from './plan.ts'
export { serviceOf } from './service.ts'
