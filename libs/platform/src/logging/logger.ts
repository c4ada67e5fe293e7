import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Wherever such a key turns up in a log line, its value does not. */
const SECRET_PATHS = [
  'authorization',
  '*.authorization',
  'headers.authorization',
  'req.headers.authorization',
  'req.headers.cookie',
  ...[
    'apiKey',
    'secretKey',
    'token',
    'password',
    'apiToken',
    'serviceAccount',
    'accessKey',
    'credentials',
    'encryptedKey',
  ].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
];

/** JSON lines for machines; readable lines when a person watches a terminal. */
export function createLogger(options: { level: string; name: string; pretty?: boolean }): Logger {
  return pino({
    name: options.name,
    level: options.level,
    base: { app: options.name },
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(options.pretty && {
      transport: {
        target: 'pino-pretty',
        options: { ignore: 'pid,hostname,app', translateTime: 'HH:MM:ss', singleLine: true },
      },
    }),
  });
}

/** Nest's own lines (boot, module errors) go where ours go; its chatter about routes does not. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error({ context: rest.at(-1), ...(message instanceof Error && { err: message }) }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }
  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  verbose(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }
}
