// For the site and the checks, which make servers and tests from the same templates.
export { FRAMEWORKS } from './frameworks.ts'
export { planFor } from './plan.ts'
export { newProject } from './project.ts'
export { serviceOf } from './service.ts'
