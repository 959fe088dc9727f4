export const PART: boolean
