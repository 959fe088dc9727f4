export {
  GENERAL_OPTIONS,
  JSON_FLAG,
  type MakeCommand,
  newCommand,
  SCHEME_OPTIONS,
  SECRET_OPTIONS,
} from './command.ts'
export {
  apiKeyFromEnv,
  CREDENTIAL_VARIABLES,
  readApiKey,
  readSecret,
  readSecrets,
  SECRET_FLAGS,
} from './credential.ts'
export { jsonObject, jsonText } from './json-object.ts'
export {
  allSchemes,
  type ChosenScheme,
  CONTRACT,
  canSign,
  checkReceiver,
  checkSigner,
  readScheme,
  SCHEME_FLAGS,
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
