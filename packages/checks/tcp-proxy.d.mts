export class TcpProxy {
  constructor(target: string)
  onReply: (bytes: Buffer, connection: number) => boolean
  readonly port: number
  /** The URL of the server by way of this proxy. */
  readonly url: string
  open(): Promise<this>
  cut(): Promise<void>
}
