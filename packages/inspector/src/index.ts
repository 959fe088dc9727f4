export type { DoctorReport, ExaminedProbe } from './doctor.ts'
export { createInspector, type Inspector, type InspectorOptions } from './inspector.ts'
