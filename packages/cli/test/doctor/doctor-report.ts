import { type DoctorOptions, type Report, runDoctor } from '../../src/doctor/run-doctor.ts'
import { SECRET } from './receiver.ts'

/** The report on a running receiver, without the command line. */
export function doctorReport(url: string, options: Partial<DoctorOptions> = {}): Promise<Report> {
  return runDoctor({ url, secret: SECRET, ...options })
}
