export {
  EXIT_CODES,
  EXIT_CODES_OF_SERVERS,
  general,
  type JsonOptions,
  type MakeCommand,
  newCommand,
  type SigningOptions,
  service,
  signing,
} from './command.ts'
export { fingerprintOf, readSecret, readVerifier, withPlace } from './credential.ts'
export { jsonObject, jsonText, makeFolder, parsed, readBytes, readText } from './files.ts'
export { allSchemes, findScheme, isNamed } from './find-scheme.ts'
export { flagsOf, signingFlags } from './flags.ts'
export { readApiKey } from './read-secret.ts'
export {
  type ChosenScheme,
  CONTRACT,
  checkSigner,
  readScheme,
  samplesOf,
  schemeAdvice,
  successesOf,
  targetAt,
} from './scheme.ts'
export { TOKENS, tokenSchemes } from './tokens.ts'
export {
  nameOutOf,
  names,
  namesOutOf,
  offset,
  positive,
  receiverUrl,
  share,
  TIMEOUT,
  TOLERANCE,
  whole,
} from './values.ts'
export { apiKeyFromEnv, CREDENTIAL_VARIABLES, findVariable, variablesIn } from './variables.ts'
