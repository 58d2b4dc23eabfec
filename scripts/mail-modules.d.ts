// Types of the used parts of these packages, which have none.

declare module "smtp-server" {
  import type { Server } from "node:net";
  import type { Readable } from "node:stream";

  interface SMTPServerOptions {
    authOptional?: boolean;
    disabledCommands?: string[];
    logger?: boolean;
    size?: number;
    onData?(stream: Readable, session: unknown, done: (error?: Error | null) => void): void;
    onRcptTo?(address: { address: string }, session: unknown, done: (error?: Error | null) => void): void;
  }
  export class SMTPServer {
    constructor(options: SMTPServerOptions);
    readonly server: Server;
    listen(port: number, host: string, listening: () => void): Server;
    on(event: "error", listener: (error: Error) => void): void;
    close(closed?: () => void): void;
  }
}

declare module "mailparser" {
  import type { Readable } from "node:stream";

  export interface ParsedMail {
    headerLines: { key: string; line: string }[];
    subject?: string;
    from?: { text: string };
    to?: { text: string } | { text: string }[];
    date?: Date;
    messageId?: string;
    text?: string;
    html?: string | false;
    attachments: { filename?: string; contentType: string; content: Buffer }[];
  }
  export function simpleParser(source: Readable | Buffer | string): Promise<ParsedMail>;
}
