export {
  general,
  type MakeCommand,
  newCommand,
  type SchemeOptions,
  type SigningOptions,
  signing,
} from './command.ts'
export {
  apiKeyFromEnv,
  CREDENTIAL_VARIABLES,
  readApiKey,
  readSecret,
  readVerifier,
  type Verifier,
} from './credential.ts'
export { jsonObject, jsonText, readBytes, readText } from './files.ts'
export {
  allSchemes,
  type ChosenScheme,
  CONTRACT,
  canSign,
  checkSigner,
  readScheme,
  schemeAdvice,
  targetAt,
} from './scheme.ts'
export {
  names,
  namesOutOf,
  offset,
  positive,
  receiverUrl,
  share,
  tolerance,
  whole,
} from './values.ts'
