import {
  EXIT_CODES_OF_SERVERS,
  type MakeCommand,
  newCommand,
  receiverUrl,
  signing,
  TOLERANCE,
  whole,
} from '../options/index.ts'
import { UI_FLAGS } from '../ui.ts'
import { listenTo } from './session.ts'

const EXAMPLES = [
  'listen --scheme stripe --forward localhost:3000/in --ui',
  'listen --port 3000 --save captures',
]

/** `listen`: a receiver that shows, saves and forwards requests. */
export const listenCommand: MakeCommand = (context, end) =>
  signing(
    newCommand(
      'listen',
      'Receive deliveries, verify, show and forward them',
      EXAMPLES,
      EXIT_CODES_OF_SERVERS,
    )
      .optionsGroup('Server:')
      .option(
        '--port <number>',
        'port to listen on; 0 chooses a free one (default: 3000; with --forward 4000)',
        whole(0, 65_535),
      )
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .option(
        '--count <number>',
        'stop after this number of requests, with 1 if one was rejected',
        whole(1, 1e9),
      )
      .option('--save <folder>', 'save each request, byte for byte, to a file in this folder')
      .option(
        '--forward <url>',
        'send each request to your server at this URL, unchanged, and return its response. For a service that signs the URL, pass an origin: each request keeps its path',
        receiverUrl,
      )
      .option('--verbose', 'show the body of each request')
      .optionsGroup('Verification:')
      .option('--no-verify', 'do not verify requests; respond with 204 to all of them')
      .option(...TOLERANCE)
      .option(
        '--limit <bytes>',
        'size of the largest accepted body (default: what the service sends, or 1048576)',
        whole(1, 1e9),
      )
      .optionsGroup('Local web UI:')
      .option(...UI_FLAGS.ui)
      .option(...UI_FLAGS.open),
    { several: true },
  ).action(async (options) => {
    end(await listenTo(options, context))
  })
