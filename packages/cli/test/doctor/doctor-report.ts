import { type DoctorOptions, type Report, runDoctor } from '../../src/doctor/run-doctor.ts'

export const SECRET = 'whsec_d0c70ad0c70ad0c70ad0c70ad0c70ad0'

/** How long a response may take on a machine that is busy with other things, in seconds. */
export const PATIENCE = 100

/** The report on a running receiver, without the command line. */
export function doctorReport(url: string, options: Partial<DoctorOptions> = {}): Promise<Report> {
  return runDoctor({ url, secret: SECRET, timeout: PATIENCE, ...options })
}
